/**
 * SQLite files as sources, read in one snapshot and checked value by value, and as sinks, where rows and marks commit
 * together.
 *
 * <p>SQLite gives each value a type of its own and lets columns only hint at one. Here the declared type decides: a value
 * of another kind is an error that names its row. Source of the rules: SQLite manual, "Datatypes In SQLite".
 */
@NullMarked
package dev.weir.connector.sqlite;

import org.jspecify.annotations.NullMarked;
