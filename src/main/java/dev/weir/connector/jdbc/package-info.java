/**
 * What connectors that speak JDBC share: the marks' table, the way of staged rows out of DuckDB, DuckDB's types by name.
 *
 * <p>Knows no driver but DuckDB's.
 */
@NullMarked
package dev.weir.connector.jdbc;

import org.jspecify.annotations.NullMarked;
