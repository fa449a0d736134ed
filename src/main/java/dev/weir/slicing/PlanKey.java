package dev.weir.slicing;

/**
 * Which plan of a backfill, as one sink of its pipeline knows it.
 *
 * @param project the project's name
 * @param pipeline the pipeline's name
 * @param sink {@code connection.table}, the table as its system spells it
 * @param backfillId the plan's identity, 16 hex digits
 */
public record PlanKey(String project, String pipeline, String sink, String backfillId) {}
