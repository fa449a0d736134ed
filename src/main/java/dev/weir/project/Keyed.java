package dev.weir.project;

/**
 * A value and the place of the key it was given under.
 *
 * @param place where the key is written
 */
public record Keyed<T>(Place place, T value) {}
