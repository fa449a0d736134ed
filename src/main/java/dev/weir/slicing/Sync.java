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
 * @param target what the width of each window, up to {@code maxWindow}, is chosen for: see {@link AutoWindow}; null: it is
 *     not chosen, windows are {@code maxWindow} wide
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
        @Nullable Target target,
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
            @Nullable String settleTimeout,
            @Nullable String target,
            @Nullable String targetRows,
            @Nullable String maxWindowLimit) {

        /** In place of a width: it is chosen from pass to pass. */
        public static final String AUTO = "auto";

        /** The keys that place windows. */
        public static Text windows(@Nullable String maxWindow, @Nullable String initial, @Nullable String until) {
            return new Text(null, maxWindow, initial, until, null, null, null, null, null, null, null, null);
        }

        /** Whether the width of windows is chosen from pass to pass. */
        public boolean isAuto() {
            return AUTO.equals(maxWindow);
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
         * The key at fault: {@code cursor_unit}, {@code max_window}, {@code target}, {@code target_rows}, {@code
         * max_window_limit}, {@code initial}, {@code until}, {@code delay}, {@code lookback}, {@code nulls}, {@code settle},
         * {@code settle_timeout}.
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
        Target target = text.isAuto() ? target(text) : fixed(text);
        Step window = text.isAuto() ? limit(type, text) : step("max_window", type, text.maxWindow());
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
                target,
                initial,
                until,
                delay,
                lookback,
                refusesNulls(text.nulls()),
                Settle.parse(text.settle(), text.settleTimeout()));
    }

    private static @Nullable Step step(String key, CursorType type, @Nullable String text) {
        return text == null ? null : read(key, () -> Step.parse(type, text));
    }

    private static @Nullable Step limit(CursorType type, Text text) {
        return step("max_window_limit", type, text.maxWindowLimit());
    }

    private static Target target(Text text) {
        if (text.target() != null && text.targetRows() != null) {
            throw new SyncException("target_rows", "target and target_rows stand side by side: write one of them");
        }
        if (text.target() != null) {
            return read("target", () -> Target.Time.parse(text.target()));
        }
        if (text.targetRows() != null) {
            return read("target_rows", () -> Target.Rows.parse(text.targetRows()));
        }
        throw new SyncException(
                "max_window", "max_window: auto needs a target: write target: 30s or target_rows: 100000 beside it");
    }

    /** No target: windows are as wide as they are said to be. */
    private static @Nullable Target fixed(Text text) {
        refuseWithoutAuto("target", text.target());
        refuseWithoutAuto("target_rows", text.targetRows());
        refuseWithoutAuto("max_window_limit", text.maxWindowLimit());
        return null;
    }

    private static void refuseWithoutAuto(String key, @Nullable String text) {
        if (text != null) {
            throw new SyncException(
                    key, key + " is for windows whose width is chosen: write max_window: auto beside it");
        }
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
        return new Sync(type, null, null, null, new Until.Never(), BigInteger.ZERO, null, false, Settle.USUAL);
    }

    /** The same up to now, over a cursor of dates or times. */
    public Sync upToNow() {
        return type.isTime()
                ? new Sync(
                        type, maxWindow, target, initial, new Until.Now(), delayMicros, lookback, refusesNulls, settle)
                : this;
    }

    /** The same, writers that are open not waited for. */
    public Sync impatient() {
        Settle atOnce = new Settle(settle.mode(), Duration.ZERO);
        return new Sync(type, maxWindow, target, initial, until, delayMicros, lookback, refusesNulls, atOnce);
    }

    /** The same in windows of that width, up to the limit; {@code max_window: auto} has been carried out. */
    public Sync within(AutoWindow window) {
        return new Sync(type, window.width(), null, initial, until, delayMicros, lookback, refusesNulls, settle);
    }

    /** Whether the source can be caught up, so that {@code caughtUp} is reported. */
    public boolean hasStop() {
        return !(until instanceof Until.Never);
    }

    Optional<CursorValue> untilValue() {
        return until instanceof Until.Value stop ? Optional.of(stop.value()) : Optional.empty();
    }
}
