package dev.weir.slicing;

import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A place in a query where a bound of a chunk goes, or its time: {@code ${backfill.start}}, {@code ${now.date}}.
 *
 * <p>Immutable and thread-safe. Source of the names and values: contract, section 6.
 */
public final class Token implements TokenText.Part {

    private static final String BACKFILL = "backfill.";
    private static final String NOW = "now.";
    private static final String STRFTIME = "now.strftime.";

    private static final DateTimeFormatter DATE = DateTimeFormatter.ISO_LOCAL_DATE;
    private static final DateTimeFormatter WHOLE_SECONDS = new DateTimeFormatterBuilder()
            .append(DATE)
            .appendPattern("'T'HH:mm:ss")
            .toFormatter(Locale.ROOT);
    private static final DateTimeFormatter MICROSECONDS = new DateTimeFormatterBuilder()
            .append(WHOLE_SECONDS)
            .appendPattern(".SSSSSS")
            .toFormatter(Locale.ROOT);

    /** What a token tells; how fine that is decides which chunks it can scope. */
    private enum Kind {
        START("backfill.start", Grain.EXACT),
        END("backfill.end", Grain.EXACT),
        START_DATE("backfill.start_date", Grain.DAY),
        END_DATE("backfill.end_date", Grain.DAY),
        START_UNIX("backfill.start_unix", Grain.SECOND),
        END_UNIX("backfill.end_unix", Grain.SECOND),
        UNIT("backfill.unit", Grain.NONE),
        NOW_DATE("now.date", Grain.DAY),
        NOW_DATETIME("now.datetime", Grain.TIME),
        NOW_ISO("now.iso", Grain.TIME),
        NOW_YEAR("now.year", Grain.DAY),
        NOW_MONTH("now.month", Grain.DAY),
        NOW_DAY("now.day", Grain.DAY),
        NOW_HOUR("now.hour", Grain.TIME),
        NOW_MINUTE("now.minute", Grain.TIME),
        NOW_SECOND("now.second", Grain.TIME),
        NOW_UNIX("now.unix", Grain.SECOND),
        NOW_STRFTIME(STRFTIME, Grain.TIME);

        private final String name;
        private final Grain grain;

        Kind(String name, Grain grain) {
            this.name = name;
            this.grain = grain;
        }
    }

    private enum Grain {
        /** The bound itself, whatever its type. */
        EXACT,
        /** A time of the day; needs a chunk of times. */
        TIME,
        /** Whole seconds; needs a chunk of times. */
        SECOND,
        /** Days and nothing finer; needs a chunk of times. */
        DAY,
        /** No bound at all. */
        NONE
    }

    private final String name;
    private final Kind kind;
    private final @Nullable Strftime format;

    private Token(String name, Kind kind, @Nullable Strftime format) {
        this.name = name;
        this.kind = kind;
        this.format = format;
    }

    /** Whether what stands between the brackets is meant as a token, right or wrong. */
    public static boolean isReserved(String inside) {
        return inside.startsWith(BACKFILL) || inside.startsWith(NOW);
    }

    /**
     * The token of that name; empty when there is none.
     *
     * @param inside what stands between the brackets: {@code backfill.start}, {@code now.strftime.%Y/%m}
     * @throws LiteralException when it is a format that cannot be read
     */
    public static Optional<Token> named(String inside) {
        if (inside.startsWith(STRFTIME)) {
            Strftime format = Strftime.parse(inside.substring(STRFTIME.length()));
            return Optional.of(new Token(inside, Kind.NOW_STRFTIME, format));
        }
        for (Kind kind : Kind.values()) {
            if (kind.name.equals(inside)) {
                return Optional.of(new Token(inside, kind, null));
            }
        }
        return Optional.empty();
    }

    /** The names of all tokens, for messages. */
    public static List<String> known() {
        List<String> names = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            names.add(kind == Kind.NOW_STRFTIME ? kind.name + "%Y" : kind.name);
        }
        return names;
    }

    /** Whether nothing stands for it outside a backfill. */
    public boolean isOfBackfill() {
        return name.startsWith(BACKFILL);
    }

    boolean needsTime() {
        return kind.grain != Grain.EXACT && kind.grain != Grain.NONE;
    }

    boolean needsWholeSeconds() {
        return kind.grain == Grain.SECOND;
    }

    /** Whether it tells of days and of nothing finer. */
    boolean isOfDays() {
        return format == null ? kind.grain == Grain.DAY : format.isOfDays();
    }

    /** Whether it names a stretch of time, a day or an hour, and no instant. */
    boolean isPartOfTime() {
        return switch (kind) {
            case START_DATE,
                    END_DATE,
                    NOW_DATE,
                    NOW_YEAR,
                    NOW_MONTH,
                    NOW_DAY,
                    NOW_HOUR,
                    NOW_MINUTE,
                    NOW_SECOND,
                    NOW_STRFTIME -> true;
            case START, END, START_UNIX, END_UNIX, UNIT, NOW_DATETIME, NOW_ISO, NOW_UNIX -> false;
        };
    }

    /** Whether it tells where a chunk ends. */
    boolean isEnd() {
        return kind == Kind.END || kind == Kind.END_DATE || kind == Kind.END_UNIX;
    }

    /** Whether it tells where a chunk begins or ends, however finely. */
    boolean isBound() {
        return kind.grain != Grain.NONE;
    }

    @Override
    public String written() {
        return "${" + name + "}";
    }

    @Override
    public String render(Moment moment) {
        return isOfBackfill() ? ofChunk(moment) : now(moment.now());
    }

    private String ofChunk(Moment moment) {
        if (!(moment instanceof Moment.OfChunk chunk)) {
            throw new IllegalStateException(written() + " outside a backfill");
        }
        return switch (kind) {
            case START -> bound(chunk.from());
            case END -> bound(chunk.to());
            case START_DATE -> DATE.format(chunk.at(chunk.from()));
            case END_DATE -> DATE.format(chunk.at(chunk.to()));
            case START_UNIX -> Long.toString(chunk.at(chunk.from()).toEpochSecond());
            case END_UNIX -> Long.toString(chunk.at(chunk.to()).toEpochSecond());
            case UNIT -> chunk.id();
            default -> throw new IllegalStateException(name);
        };
    }

    /** As every SQL reads it; a {@code timestamp} has no zone, so it gets no offset. */
    static String bound(CursorValue value) {
        return switch (value.type().kind()) {
            case TIMESTAMP -> exact(value.toLocalDateTime().atZone(ZoneOffset.UTC));
            case TIMESTAMPTZ, EPOCH_S, EPOCH_MS, EPOCH_US ->
                exact(value.toLocalDateTime().atZone(ZoneOffset.UTC)) + "+00:00";
            default -> value.toString();
        };
    }

    private String now(ZonedDateTime now) {
        return switch (kind) {
            case NOW_DATE -> DATE.format(now);
            case NOW_DATETIME -> exact(now);
            case NOW_ISO -> exact(now) + (now.getOffset().getTotalSeconds() == 0 ? "+00:00" : now.getOffset());
            case NOW_YEAR -> padded(now, ChronoField.YEAR, 4);
            case NOW_MONTH -> padded(now, ChronoField.MONTH_OF_YEAR, 2);
            case NOW_DAY -> padded(now, ChronoField.DAY_OF_MONTH, 2);
            case NOW_HOUR -> padded(now, ChronoField.HOUR_OF_DAY, 2);
            case NOW_MINUTE -> padded(now, ChronoField.MINUTE_OF_HOUR, 2);
            case NOW_SECOND -> padded(now, ChronoField.SECOND_OF_MINUTE, 2);
            case NOW_UNIX -> Long.toString(now.toEpochSecond());
            case NOW_STRFTIME -> format.of(now);
            default -> throw new IllegalStateException(name);
        };
    }

    private static String exact(ZonedDateTime time) {
        return (time.getNano() == 0 ? WHOLE_SECONDS : MICROSECONDS).format(time);
    }

    private static String padded(ZonedDateTime time, ChronoField field, int digits) {
        return String.format(Locale.ROOT, "%0" + digits + "d", time.get(field));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Token token && name.equals(token.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    /** As it is written: {@code ${backfill.start}}. */
    @Override
    public String toString() {
        return written();
    }
}
