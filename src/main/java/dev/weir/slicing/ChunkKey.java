package dev.weir.slicing;

/**
 * Which chunk of a plan, and the how-manieth replay of it.
 *
 * @param plan the plan as the sink knows it
 * @param restart how often the plan was started over, from 0
 * @param chunkId the chunk's place in the plan, six digits from {@code 000000}
 */
public record ChunkKey(PlanKey plan, long restart, String chunkId) {}
