package dev.weir.connector;

/**
 * One column of staged or produced rows.
 *
 * @param name exactly as its system spells it
 * @param type a DuckDB type name as DuckDB prints it, as in {@code DECIMAL(12,2)}, {@code TIMESTAMP WITH TIME ZONE}
 */
public record Column(String name, String type) {}
