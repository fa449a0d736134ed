package dev.weir.bench;

import java.util.List;

/** The middle of numbers. */
final class Median {

    private Median() {}

    /** The middle one of them, or the mean of the two in the middle; NaN of none. */
    static double of(List<Double> numbers) {
        List<Double> sorted = numbers.stream().sorted().toList();
        int count = sorted.size();
        if (count == 0) {
            return Double.NaN;
        }
        return (sorted.get((count - 1) / 2) + sorted.get(count / 2)) / 2;
    }
}
