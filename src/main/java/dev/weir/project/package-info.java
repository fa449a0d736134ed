/**
 * Files to values: connections.yml, weir.yml, .env and pipelines/*.sql, every problem at file:line:column, all at once.
 *
 * <p>Reads, never writes, and connects to nothing. Knows no connector and no rule of the plan.
 */
@NullMarked
package dev.weir.project;

import org.jspecify.annotations.NullMarked;
