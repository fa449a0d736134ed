package dev.weir.project;

/**
 * One entity a connection declares.
 *
 * @param name its key, spelled as its own system spells it
 */
public record EntitySpec(Value.Scalar name, ReadSpec read, WriteSpec write) {}
