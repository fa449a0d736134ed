/** DuckDB files as sources and sinks. */
@NullMarked
package dev.weir.connector.duckdb;

import org.jspecify.annotations.NullMarked;
