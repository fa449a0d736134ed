package dev.weir.run;

import dev.weir.plan.SinkNode;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.HeldBack;
import dev.weir.slicing.Step;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the next pass of a selection would read and write. Immutable.
 *
 * @param now the time it was made for
 * @param sources by key
 */
public record Forecast(Instant now, List<OfSource> sources) {

    /** Where counting stops. */
    public static final long COUNTED = 1_000_000;

    public Forecast {
        sources = List.copyOf(sources);
    }

    /** Whether a run would meet nothing that it had to fail. */
    public boolean canBegin() {
        return sources.stream()
                .allMatch(source ->
                        source.failure().isEmpty() && source.sinks().stream().noneMatch(OfSink::isRefused));
    }

    /**
     * What is ahead of one source.
     *
     * @param nodeId its node in a run
     * @param key {@code connection.entity}
     * @param isIncremental whether it is read in slices
     * @param next empty: it is read in full, or nothing is known of it
     * @param failure empty: all is known
     * @param sinks those below it, in the order of their pipelines
     */
    public record OfSource(
            String nodeId,
            String key,
            boolean isIncremental,
            Optional<Next> next,
            Optional<String> failure,
            List<OfSink> sinks) {

        public OfSource {
            sinks = List.copyOf(sinks);
        }
    }

    /**
     * The next pass of an incremental source.
     *
     * @param watermark where the selected sinks stand; empty: nowhere, it is the first run
     * @param ceiling how far this invocation would go; empty: there is no bound
     * @param window what it would read; empty: nothing, it is at its ceiling
     * @param rows how many rows that are, counted up to {@link #COUNTED}
     * @param rowsLeft how many rows there are up to the ceiling, counted up to {@link #COUNTED}
     * @param passesLeft at most so many passes until nothing is left, this one included; empty: more than can be told
     * @param passesAreExact whether it is so many, if nothing arrives meanwhile
     * @param autoWidth the width that {@code max_window: auto} chose for the window, and the windows of later passes have
     *     other ones, so that the number of passes is about so many; empty: it was not chosen
     * @param again what would be read once more by {@code lookback}
     * @param rowsAgain how many rows that are, counted up to {@link #COUNTED}
     * @param heldBack why the ceiling is lower than it could be; empty: it is not
     */
    public record Next(
            Cursor cursor,
            Optional<CursorValue> watermark,
            Optional<CursorValue> ceiling,
            Optional<CursorRange> window,
            long rows,
            long rowsLeft,
            Optional<BigInteger> passesLeft,
            boolean passesAreExact,
            Optional<Step> autoWidth,
            List<CursorRange> again,
            long rowsAgain,
            Optional<HeldBack> heldBack) {

        public Next {
            again = List.copyOf(again);
        }
    }

    /**
     * One sink below a source.
     *
     * @param stands where it stands; empty: nowhere yet, or it is not known
     * @param takesPart whether it takes the next slice; a sink that is ahead skips it
     * @param said what a run would say of it
     * @param refusal why a run would refuse it; empty: it would not
     * @param notRead why its mark could not be read, so that state's word was taken; empty: it was read
     */
    public record OfSink(
            String pipeline,
            SinkNode node,
            Optional<CursorValue> stands,
            boolean takesPart,
            List<String> said,
            Optional<String> refusal,
            Optional<String> notRead) {

        public OfSink {
            said = List.copyOf(said);
        }

        /** Whether a run would refuse it. */
        public boolean isRefused() {
            return refusal.isPresent();
        }

        /** What is promised of its rows. Source of the rule: contract, section 2.4. */
        public String guarantee() {
            return node.acceptsDuplicates() ? "at least once" : "exactly once";
        }
    }
}
