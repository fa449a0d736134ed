package dev.weir.slicing;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How one source is windowed: its {@code sync} block, read by the type of its cursor and free of contradictions.
 *
 * <p>Immutable and thread-safe. Source of the rule: contract, section 3.
 *
 * @param type the cursor's type
 * @param maxWindow at most this much cursor a pass; null: one window up to the ceiling
 * @param initial where the first window starts, inclusive; null: at the lowest cursor in the source
 * @param until where the source counts as caught up
 * @param delayMicros how far time cursors stay below now, in microseconds, at least zero
 * @param lookback how much of what is loaded is read and merged again; null: nothing. See {@link Lookback}
 * @param refusesNulls whether a NULL cursor in the source is an error and not a warning
 * @param settle what is done about transactions that may still commit lower values
 */
public record Sync(
        CursorType type,
        @Nullable Step maxWindow,
        @Nullable CursorValue initial,
        Until until,
        BigInteger delayMicros,
        @Nullable Step lookback,
        boolean refusesNulls,
        Settle settle) {

    /**
     * The {@code sync} block as its author wrote it, every key by its source text.
     *
     * @param cursorUnit null when the key is absent, like the others
     */
    public record Text(
            @Nullable String cursorUnit,
            @Nullable String maxWindow,
            @Nullable String initial,
            @Nullable String until,
            @Nullable String delay,
            @Nullable String lookback,
            @Nullable String nulls,
            @Nullable String settle,
            @Nullable String settleTimeout) {

        /** The keys that place windows. */
        public static Text windows(@Nullable String maxWindow, @Nullable String initial, @Nullable String until) {
            return new Text(null, maxWindow, initial, until, null, null, null, null, null);
        }
    }

    /** Which key of a {@code sync} block is wrong, so that its place can be shown. */
    public static final class SyncException extends RuntimeException {
        private final String key;

        SyncException(String key, String message) {
            super(message);
            this.key = key;
        }

        /**
         * The key at fault: {@code cursor_unit}, {@code max_window}, {@code initial}, {@code until}, {@code delay}, {@code
         * lookback}, {@code nulls}, {@code settle}, {@code settle_timeout}.
         */
        public String key() {
            return key;
        }
    }

    /**
     * Reads a block by the type of its cursor's column, which is the cursor's own unless the block says what its numbers count.
     *
     * @throws SyncException for the first key that contradicts the type or another key
     */
    public static Sync parse(CursorType column, Text text) {
        CursorType type = text.cursorUnit() == null ? column : epoch(column, text.cursorUnit());
        Step window = text.maxWindow() == null ? null : read("max_window", () -> Step.parse(type, text.maxWindow()));
        CursorValue initial = text.initial() == null ? null : read("initial", () -> type.parse(text.initial()));
        Until until = until(type, text.until());
        BigInteger delay = text.delay() == null ? BigInteger.ZERO : delay(type, text.delay());
        if (initial != null && until instanceof Until.Value stop && stop.value().isBelow(initial)) {
            throw new SyncException(
                    "until", "until '" + text.until() + "' is below initial '" + text.initial() + "': nothing to load");
        }
        Step lookback = text.lookback() == null ? null : read("lookback", () -> lookback(type, text.lookback()));
        return new Sync(
                type,
                window,
                initial,
                until,
                delay,
                lookback,
                refusesNulls(text.nulls()),
                Settle.parse(text.settle(), text.settleTimeout()));
    }

    private static CursorType epoch(CursorType column, String unit) {
        CursorType type = CursorType.epoch(unit)
                .orElseThrow(() -> new SyncException(
                        "cursor_unit",
                        "'" + unit + "' is no unit of time since 1970: write epoch_s, epoch_ms or epoch_us"));
        if (column.isTime()) {
            throw new SyncException(
                    "cursor_unit",
                    "cursor_unit says what numbers count, and this cursor is a " + column + ": leave it out");
        }
        return type;
    }

    private static Until until(CursorType type, @Nullable String text) {
        if (text == null) {
            return new Until.Never();
        }
        if (!text.equals("now")) {
            return new Until.Value(read("until", () -> type.parse(text)));
        }
        if (!type.isTime()) {
            throw new SyncException("until", "until: now " + needsTime(type));
        }
        return new Until.Now();
    }

    private static String needsTime(CursorType type) {
        return "needs a date or time cursor, and this one is a " + type
                + "; if its numbers count time since 1970, say so with cursor_unit";
    }

    private static BigInteger delay(CursorType type, String text) {
        if (!type.isTime()) {
            throw new SyncException("delay", "delay " + needsTime(type));
        }
        if (type.kind() == CursorType.Kind.DATE && !text.matches("[0-9]+[dw]")) {
            throw new SyncException("delay", "'" + text + "' is no delay for dates: write days or weeks, as in 2d");
        }
        return read("delay", () -> Step.micros(text));
    }

    private static Step lookback(CursorType type, String text) {
        try {
            return Step.parse(type, text);
        } catch (LiteralException e) {
            throw new LiteralException(e.getMessage().replace("is no window over", "is no lookback over"));
        }
    }

    private static boolean refusesNulls(@Nullable String text) {
        if (text == null || text.equals("warn")) {
            return false;
        }
        if (!text.equals("fail")) {
            throw new SyncException("nulls", "'" + text + "' is not what to do with NULL cursors: write warn or fail");
        }
        return true;
    }

    private static <T> T read(String key, java.util.function.Supplier<T> reader) {
        try {
            return reader.get();
        } catch (LiteralException e) {
            throw new SyncException(key, e.getMessage());
        }
    }

    /** An incremental source without windows: all there is above the watermark, in one slice. */
    public static Sync unbounded(CursorType type) {
        return new Sync(type, null, null, new Until.Never(), BigInteger.ZERO, null, false, Settle.USUAL);
    }

    /** The same up to now, over a cursor of dates or times. */
    public Sync upToNow() {
        return type.isTime()
                ? new Sync(type, maxWindow, initial, new Until.Now(), delayMicros, lookback, refusesNulls, settle)
                : this;
    }

    /** The same, writers that are open not waited for. */
    public Sync impatient() {
        Settle atOnce = new Settle(settle.mode(), Duration.ZERO);
        return new Sync(type, maxWindow, initial, until, delayMicros, lookback, refusesNulls, atOnce);
    }

    /** Whether the source can be caught up, so that {@code caughtUp} is reported. */
    public boolean hasStop() {
        return !(until instanceof Until.Never);
    }

    Optional<CursorValue> untilValue() {
        return until instanceof Until.Value stop ? Optional.of(stop.value()) : Optional.empty();
    }
}
