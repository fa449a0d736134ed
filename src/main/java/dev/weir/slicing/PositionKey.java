package dev.weir.slicing;

/**
 * Which position: how far one sink of one pipeline has loaded one source.
 *
 * @param project the project's name
 * @param pipeline the pipeline's name
 * @param sink {@code connection.table}, the table as its system spells it
 * @param source {@code connection.entity}, the entity as its system spells it
 */
public record PositionKey(String project, String pipeline, String sink, String source) {}
