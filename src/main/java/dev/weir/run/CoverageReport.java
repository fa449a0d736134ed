package dev.weir.run;

import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorValue;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Which values of its cursors a pipeline has loaded, by forward runs and by backfills, and which lie between them.
 *
 * <p>Immutable.
 *
 * @param pipeline the pipeline's name
 * @param at when it was looked at, by the runner's clock
 * @param sinks the pipeline's, in the order of its file
 */
public record CoverageReport(String pipeline, Instant at, List<OfSink> sinks) {

    /** Who loaded what a position counts as loaded: {@code weir run}. Backfills are named by their ids. */
    public static final String FORWARD = "forward";

    /**
     * What one sink holds.
     *
     * @param sink {@code connection.table}
     * @param notRead why the sink was not asked, so that this is state's word; empty: it is the sink's
     * @param sources those the pipeline reads by a range, whether or not anything is loaded, and all others of which
     *     something is, by key
     */
    public record OfSink(String sink, Optional<String> notRead, List<OfSource> sources) {

        public OfSink {
            sources = List.copyOf(sources);
        }
    }

    /**
     * What it holds of one source.
     *
     * @param source {@code connection.entity}
     * @param cursors one for each cursor that anything was loaded by, the source's cursor of today first; empty: nothing
     *     is loaded
     */
    public record OfSource(String source, List<OfCursor> cursors) {

        public OfSource {
            cursors = List.copyOf(cursors);
        }
    }

    /**
     * What was loaded by one cursor.
     *
     * @param cursor of {@link Cursor#TOKENS no column} where tokens in a query scoped it
     * @param stretches in order, none overlapping another
     * @param holes what lies between stretches that do not touch, in order
     */
    public record OfCursor(Cursor cursor, List<Stretch> stretches, List<Range> holes) {

        public OfCursor {
            stretches = List.copyOf(stretches);
            holes = List.copyOf(holes);
        }
    }

    /**
     * Values of a cursor, with ends as whoever loaded up to them has them.
     *
     * @param from the lower end; null: the beginning, nothing lies below
     * @param fromInclusive whether {@code from} belongs to it
     * @param to the upper end; null: the end, nothing lies above
     * @param toInclusive whether {@code to} belongs to it
     */
    public record Range(
            @Nullable CursorValue from,
            boolean fromInclusive,
            @Nullable CursorValue to,
            boolean toInclusive) {}

    /**
     * Values that were all loaded equally often by the same loaders.
     *
     * @param times how often each of them was, at least once
     * @param by who loaded them, without repetition: {@link #FORWARD} first, then the ids of backfills
     * @param first when the first of it was committed; empty: nobody remembers
     * @param last when the last of it was
     * @param rows how many rows were delivered, each time counted; empty: not known of this part alone
     */
    public record Stretch(
            Range range, int times, List<String> by, Optional<Instant> first, Instant last, OptionalLong rows) {

        public Stretch {
            by = List.copyOf(by);
        }
    }
}
