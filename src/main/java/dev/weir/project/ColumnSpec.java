package dev.weir.project;

/**
 * One column an entity declares.
 *
 * @param name the column as its system spells it
 * @param type the DuckDB type's name as its author wrote it
 */
public record ColumnSpec(Value.Scalar name, Value.Scalar type) {}
