package dev.weir.project;

/**
 * How long what is known of runs is kept.
 *
 * @param runs how many runs are kept, a pass of a loop being one; at least 1
 * @param days for how many days; at least 1
 */
public record Retention(int runs, int days) {

    /** What holds where weir.yml says nothing. */
    public static final Retention DEFAULT = new Retention(1_000, 90);
}
