package dev.weir.event;

/**
 * A chunk as it is told of.
 *
 * @param number which one of its plan, from 1
 * @param count how many the plan has
 * @param id its place in the plan, six digits from {@code 000000}
 * @param from its lower end, inclusive, as it is printed: {@code 2026-01-01T00:00:00+00:00}; numbers are plain
 * @param to its upper end, exclusive, spelled like {@code from}
 */
public record ChunkRef(int number, int count, String id, String from, String to) {}
