/**
 * The one DuckDB session of a process: stages slices, runs pipelines, checks keys, and lends its files to connectors.
 *
 * <p>Knows no connector by name and decides nothing about windows or positions.
 */
@NullMarked
package dev.weir.engine;

import org.jspecify.annotations.NullMarked;
