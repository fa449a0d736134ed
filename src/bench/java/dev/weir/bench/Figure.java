package dev.weir.bench;

import dev.weir.bench.Command.FailedException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalDouble;

/** What is measured, and what it ought to be. Docs: {@code docs/performance.md}. */
enum Figure {
    TRANSPORT("one slice of all rows staged, to COPY", "x", 1.7, Round::transport),
    LOOP_SMALL("loop, slices of 10,000, to COPY", "x", 4.0, Round::loopSmall),
    LOOP_LARGE("loop, slices of 100,000, to COPY", "x", 2.5, Round::loopLarge),
    POSTGRES("Postgres to Postgres, slices of 100,000, to a pipe of psql", "x", 2.0, Round::postgres),
    NAIVE("ResultSet and Appender, to one slice staged", "x", 3.0, Round::naive) {
        @Override
        boolean meets(double value) {
            return value >= target().getAsDouble();
        }
    },
    GROWTH("last 20 small slices, to the first 20", "x", 1.2, Round::growth),
    SIZE("loop of large slices on 10 times the rows", "x", 11.0, Round::size),
    CAUGHT_UP("a caught-up source in a pass of a loop", "ms", 10.0, Round::caughtUp),
    CAUGHT_UP_RUN("run of a caught-up project, whole process", "ms", Double.NaN, Round::caughtUpRun),
    MEMORY("peak memory, loop of large slices", "MiB", 600.0, Round::memory),
    START_VERSION("weir --version", "ms", 350.0, Round::version),
    START_STATE("weir state show", "ms", 600.0, Round::stateShow);

    /** How a round measures it. */
    interface Way {
        Sample measure(Round round) throws IOException, InterruptedException, FailedException;
    }

    private final String title;
    private final String unit;
    private final double target;
    private final Way way;

    Figure(String title, String unit, double target, Way way) {
        this.title = title;
        this.unit = unit;
        this.target = target;
        this.way = way;
    }

    /** As {@code --only} and the results write it. */
    String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Figure named(String id) {
        return Arrays.stream(values())
                .filter(figure -> figure.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no figure is named '" + id + "'"));
    }

    String title() {
        return title;
    }

    String unit() {
        return unit;
    }

    OptionalDouble target() {
        return Double.isNaN(target) ? OptionalDouble.empty() : OptionalDouble.of(target);
    }

    /** Whether a value is as good as the target; only of one that has a target. */
    boolean meets(double value) {
        return value <= target;
    }

    Sample measure(Round round) throws IOException, InterruptedException, FailedException {
        return way.measure(round);
    }
}
