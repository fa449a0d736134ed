/**
 * Project to plan: nodes, edges, pairing rules, selection, and the SQL that will run.
 *
 * <p>Connects to nothing. What only the systems know (types of catalogs, columns of outputs) is checked by the run.
 */
@NullMarked
package dev.weir.plan;

import org.jspecify.annotations.NullMarked;
