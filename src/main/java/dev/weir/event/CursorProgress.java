package dev.weir.event;

import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import java.math.BigInteger;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * How far an invocation has brought one incremental source, how fast, and how long the rest may take.
 *
 * <p>The share is exact. The speeds are those of the last passes, older ones counting less and less. A jump over empty
 * windows says nothing about the speed and is left out of it. Used by one thread at a time.
 */
final class CursorProgress {

    /** Fewer passes than these are no ground for a forecast. */
    private static final int HONEST_PASSES = 3;

    private final Speed cursorSpeed = new Speed();
    private final Speed rowSpeed = new Speed();
    private @Nullable CursorValue from;
    private @Nullable CursorValue start;
    private @Nullable Incremental last;
    private int passes;
    private int walked;

    /** @param seconds since the pass before, or since this one began when it is the first */
    void passed(Incremental incremental, long rows, double seconds) {
        if (last == null) {
            from = incremental.before();
            start = start(incremental);
        }
        if (start == null) {
            start = incremental.after();
        }
        passes++;
        rowSpeed.add(rows, seconds);
        if (incremental.skippedWindows() == null) {
            walked++;
            cursorSpeed.add(walked(incremental).doubleValue(), seconds);
        }
        last = incremental;
    }

    /** Where the first window began; null: at the least value of the type, which says nothing. */
    private static @Nullable CursorValue start(Incremental incremental) {
        if (incremental.before() != null) {
            return incremental.before();
        }
        Incremental.Window window = incremental.window();
        if (window == null || window.lower() == null) {
            return null;
        }
        CursorType type = window.lower().type();
        return window.lower().equals(type.least()) ? null : window.lower();
    }

    private BigInteger walked(Incremental incremental) {
        CursorValue before = incremental.before() != null ? incremental.before() : start;
        return incremental.after() == null || before == null
                ? BigInteger.ZERO
                : incremental.after().units().subtract(before.units()).max(BigInteger.ZERO);
    }

    int passes() {
        return passes;
    }

    /** The watermark when the invocation began. */
    Optional<CursorValue> from() {
        return Optional.ofNullable(from);
    }

    /** The watermark now. */
    Optional<CursorValue> watermark() {
        return Optional.ofNullable(last == null ? null : last.after());
    }

    /** What the watermark can reach; empty where the source has no {@code until}, or where nothing bounds it. */
    Optional<CursorValue> ceiling() {
        return Optional.ofNullable(last == null || last.caughtUp() == null ? null : last.ceiling());
    }

    boolean isCaughtUp() {
        return last != null && Boolean.TRUE.equals(last.caughtUp());
    }

    /** Whether nothing is left, and the source has no {@code until} by which it could be caught up. */
    boolean isAtEnd() {
        return last != null && last.caughtUp() == null && last.atEnd();
    }

    /** Whether nothing was left when its last pass ended. */
    boolean isDone() {
        return isCaughtUp() || isAtEnd();
    }

    /** How much of the distance to the ceiling is covered: all of it only once caught up. */
    Optional<Share> share() {
        if (isCaughtUp()) {
            return Optional.of(Share.ALL);
        }
        return ceiling().map(ceiling -> {
            CursorValue after = watermark().orElse(null);
            if (after == null || start == null) {
                return Share.NONE;
            }
            BigInteger whole = ceiling.units().subtract(start.units());
            Share share = Share.of(after.units().subtract(start.units()), whole);
            return share.isAll() ? new Share(BigInteger.valueOf(99), BigInteger.valueOf(100)) : share;
        });
    }

    double rowsPerSecond() {
        return rowSpeed.perSecond();
    }

    /** Seconds until the ceiling at the present speed; empty while nothing honest can be said. */
    OptionalDouble secondsLeft() {
        CursorValue ceiling = ceiling().orElse(null);
        CursorValue after = watermark().orElse(null);
        if (isCaughtUp() || ceiling == null || after == null || walked < HONEST_PASSES) {
            return OptionalDouble.empty();
        }
        double speed = cursorSpeed.perSecond();
        double distance =
                ceiling.units().subtract(after.units()).max(BigInteger.ZERO).doubleValue();
        double left = distance / speed;
        return speed > 0 && Double.isFinite(left) ? OptionalDouble.of(left) : OptionalDouble.empty();
    }
}
