package dev.weir.state;

/**
 * Which plan, and the how-manieth replay of it: what a chunk moves under.
 *
 * @param project the project's name
 * @param backfillId the plan's identity, 16 hex digits
 * @param restart how often the plan was started over, from 0
 */
public record BackfillKey(String project, String backfillId, long restart) {}
