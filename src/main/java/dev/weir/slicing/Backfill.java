package dev.weir.slicing;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a backfill: {@code [from, to)} cut into chunks that follow one another without a gap and without an
 * overlap.
 *
 * <p>Depends on nothing but its own values: the same ones cut the same chunks on any machine, on any day. Calendar steps
 * are counted in the zone from {@code from}, never from the chunk before: a wall-clock time that is skipped is the first
 * instant that follows, one that comes twice is the first, months end at their last day, and a step that ends where it
 * begins makes no chunk. Immutable and thread-safe. Source of the rule: contract, section 6.
 */
public final class Backfill {

    /** A plan of more chunks than this is worth a warning. */
    public static final int WARNS = 1_000;

    /** A plan of more chunks than this is refused. */
    public static final int MOST = 100_000;

    private static final ZoneId UTC = ZoneId.of("UTC");

    private final CursorType type;
    private final CursorValue from;
    private final CursorValue to;
    private final @Nullable ChunkStep step;
    private final ZoneId zone;

    /** Where chunks meet, both ends among them: chunk {@code n} reaches from {@code n} to {@code n + 1}. */
    private final List<CursorValue> bounds;

    /**
     * The bounds of a backfill as its user wrote them.
     *
     * @param window null: one chunk
     * @param timezone null: not given, which is UTC for time cursors
     */
    public record Text(
            String from,
            String to,
            @Nullable String window,
            @Nullable String timezone) {}

    /** Which key of a backfill is wrong, so that its place can be shown. */
    public static final class BackfillException extends RuntimeException {
        private final String key;

        BackfillException(String key, String message) {
            super(message);
            this.key = key;
        }

        /** The key at fault: {@code from}, {@code to}, {@code window}, {@code timezone}. */
        public String key() {
            return key;
        }
    }

    /**
     * A plan of values that are already read.
     *
     * @param from inclusive
     * @param to exclusive
     * @param step how far a chunk reaches; null: one chunk
     * @param zone whose calendar days and months follow; UTC for dates and numbers
     * @throws BackfillException when {@code from} is not below {@code to}, or for more than {@link #MOST} chunks
     */
    public Backfill(CursorType type, CursorValue from, CursorValue to, @Nullable ChunkStep step, ZoneId zone) {
        this.type = type;
        this.from = from;
        this.to = to;
        this.step = step;
        this.zone = isUtc(zone) ? UTC : zone;
        boolean oneType = from.type().equals(type)
                && to.type().equals(type)
                && (step == null || step.type().equals(type));
        if (!oneType || (!type.isInstant() && !isUtc(zone))) {
            throw new IllegalArgumentException(
                    "a backfill over " + type + " from " + from + " to " + to + " by " + step + " in " + zone);
        }
        if (!from.isBelow(to)) {
            throw new BackfillException(
                    "to",
                    "to " + Spelling.of(to) + " is not above from " + Spelling.of(from)
                            + ": from is the first value loaded, to the first one that is not");
        }
        this.bounds = step == null ? List.of(from, to) : bounds(Grid.of(from, step, this.zone));
    }

    private List<CursorValue> bounds(Grid grid) {
        List<CursorValue> found = new ArrayList<>();
        found.add(from);
        CursorValue last = from;
        for (long steps = 1; last.isBelow(to); steps++) {
            CursorValue next = CursorValue.min(to, grid.after(steps));
            if (next.isAbove(last)) {
                if (found.size() > MOST) {
                    throw new BackfillException(
                            "window",
                            String.format(
                                    Locale.ROOT,
                                    "%s cuts the range into more than the %,d chunks that a backfill may have:"
                                            + " take a longer window, or a shorter range",
                                    step,
                                    MOST));
                }
                found.add(next);
                last = next;
            }
        }
        return found;
    }

    /**
     * Reads what a user wrote by the type of the cursor.
     *
     * <p>A time bound is a date, which is midnight in the zone, or a date and time with its offset. Dates and numbers
     * take no time zone: a default that is not meant for them is left out by the caller.
     *
     * @throws BackfillException for the first key that contradicts the type or another key
     */
    public static Backfill parse(CursorType type, Text text) {
        ZoneId zone = zone(type, text.timezone());
        WallClock clock = new WallClock(zone);
        CursorValue from = read("from", () -> BackfillBound.parse(type, clock, text.from()));
        CursorValue to = read("to", () -> BackfillBound.parse(type, clock, text.to()));
        String window = text.window();
        ChunkStep step = window == null ? null : read("window", () -> ChunkStep.parse(type, window));
        return new Backfill(type, from, to, step, zone);
    }

    private static ZoneId zone(CursorType type, @Nullable String text) {
        if (text == null) {
            return UTC;
        }
        if (!type.isInstant()) {
            throw new BackfillException(
                    "timezone",
                    "'" + text + "' says nothing about a " + type
                            + " cursor, which means the same in every time zone: leave it out");
        }
        if (!ZoneId.getAvailableZoneIds().contains(text)) {
            throw new BackfillException(
                    "timezone",
                    "'" + text
                            + "' is no time zone: write its IANA name, as in Europe/Berlin or America/New_York, or UTC");
        }
        return ZoneId.of(text);
    }

    private static <T> T read(String key, Supplier<T> reader) {
        try {
            return reader.get();
        } catch (LiteralException e) {
            throw new BackfillException(key, e.getMessage());
        }
    }

    /** Whether a zone is another name of UTC, so that plans in both are one. */
    private static boolean isUtc(ZoneId zone) {
        return zone.normalized().equals(ZoneOffset.UTC);
    }

    /** The type of the cursor. */
    public CursorType type() {
        return type;
    }

    /** The first value of the range, inclusive. */
    public CursorValue from() {
        return from;
    }

    /** Its end, exclusive. */
    public CursorValue to() {
        return to;
    }

    /** How far a chunk reaches; null: one chunk is the whole range. */
    public @Nullable ChunkStep step() {
        return step;
    }

    /** The zone of its days and months; {@code UTC} under whatever name UTC was given. */
    public ZoneId zone() {
        return zone;
    }

    /** Whether the zone takes part in where chunks meet: calendar steps outside UTC. */
    boolean dependsOnZone() {
        return step != null && step.isCalendar() && !zone.equals(UTC);
    }

    /** How many chunks there are, 1 to {@link #MOST}. */
    public int count() {
        return bounds.size() - 1;
    }

    /** Whether there are more than {@link #WARNS} chunks. */
    public boolean isLarge() {
        return count() > WARNS;
    }

    /**
     * One chunk.
     *
     * @param number from 0, below {@link #count()}
     * @throws IndexOutOfBoundsException for a number that is none
     */
    public Chunk chunk(int number) {
        Objects.checkIndex(number, count());
        return new Chunk(number, bounds.get(number), bounds.get(number + 1));
    }

    /** All chunks in order; each is made when it is asked for. */
    public List<Chunk> chunks() {
        return new AbstractList<>() {
            @Override
            public Chunk get(int index) {
                return chunk(index);
            }

            @Override
            public int size() {
                return count();
            }
        };
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Backfill that
                && type.equals(that.type)
                && from.equals(that.from)
                && to.equals(that.to)
                && Objects.equals(step, that.step)
                && zone.equals(that.zone);
    }

    @Override
    public int hashCode() {
        return Objects.hash(type, from, to, step, zone);
    }

    /** For people: {@code [from → to) by 1d in Europe/Berlin}. */
    @Override
    public String toString() {
        String range = "[" + Spelling.of(from) + " → " + Spelling.of(to) + ")";
        String by = step == null ? "" : " by " + step;
        return range + by + (type.isInstant() ? " in " + zone : "");
    }
}
