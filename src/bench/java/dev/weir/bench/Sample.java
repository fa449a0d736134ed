package dev.weir.bench;

import java.util.Map;

/**
 * What one round measured.
 *
 * @param value the figure itself
 * @param parts what it was made of, by name and unit, in the order to be shown
 */
record Sample(double value, Map<String, Double> parts) {}
