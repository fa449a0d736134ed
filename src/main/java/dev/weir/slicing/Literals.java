package dev.weir.slicing;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the texts of cursor values. Rule: contract, section 3, "Literals". */
final class Literals {

    private static final Pattern INTEGER = Pattern.compile("-?[0-9]+");
    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]+(?:\\.[0-9]+)?");
    static final Pattern DATE = Pattern.compile("([0-9]{4})-([0-9]{2})-([0-9]{2})");
    static final Pattern TIME = Pattern.compile(
            DATE.pattern() + "[T ]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\\.([0-9]{1,6}))?(Z|[+-][0-9]{2}:[0-9]{2})?");
    /** Far more than any value or any leading zeros need, so that a message stays readable. */
    private static final int MAX_LENGTH = 1_000;

    private Literals() {}

    static CursorValue parse(CursorType type, String text) {
        BigInteger units =
                switch (type.kind()) {
                    case TINYINT, SMALLINT, INTEGER, BIGINT, UTINYINT, USMALLINT, UINTEGER, UBIGINT ->
                        integer(type, text);
                    case DECIMAL -> decimal(type, text);
                    case DATE -> BigInteger.valueOf(date(type, text));
                    case TIMESTAMP, TIMESTAMPTZ, EPOCH_S, EPOCH_MS, EPOCH_US -> time(type, text);
                };
        return inRange(new CursorValue(type, units), text);
    }

    static CursorValue read(CursorType type, String text) {
        CursorValue value = type.isTime() ? readTime(type, text) : parse(type, text);
        if (!value.toString().equals(text)) {
            throw refused(type, text);
        }
        return value;
    }

    /** Unlike a literal, the canonical text of a time may lie in any year, BC too. */
    private static CursorValue readTime(CursorType type, String text) {
        try {
            if (type.kind() == CursorType.Kind.DATE) {
                return inRange(type.units(LocalDate.parse(text).toEpochDay()), text);
            }
            String local = text.endsWith("Z") ? text.substring(0, text.length() - 1) : text;
            return inRange(new CursorValue(type, micros(LocalDateTime.parse(local))), text);
        } catch (DateTimeException e) {
            throw refused(type, text);
        }
    }

    private static CursorValue inRange(CursorValue value, String text) {
        CursorType type = value.type();
        if (value.units().compareTo(type.least().units()) < 0
                || value.units().compareTo(type.greatest().units()) > 0) {
            throw new LiteralException(
                    "'" + text + "' is outside the range of " + type + ", " + type.least() + " to " + type.greatest());
        }
        return value;
    }

    private static BigInteger integer(CursorType type, String text) {
        if (text.length() > MAX_LENGTH || !INTEGER.matcher(text).matches()) {
            throw refused(type, text);
        }
        return new BigInteger(text);
    }

    static BigInteger decimal(CursorType type, String text) {
        if (text.length() > MAX_LENGTH || !DECIMAL.matcher(text).matches()) {
            throw refused(type, text);
        }
        int point = text.indexOf('.');
        if (point >= 0 && text.length() - point - 1 > type.scale()) {
            throw new LiteralException("'" + text + "' has more than the " + type.scale()
                    + " digits after the point that " + type + " holds");
        }
        return new BigDecimal(text).setScale(type.scale()).unscaledValue();
    }

    private static long date(CursorType type, String text) {
        Matcher matcher = DATE.matcher(text);
        if (!matcher.matches()) {
            throw refused(type, text);
        }
        return date(type, text, matcher).toEpochDay();
    }

    private static LocalDate date(CursorType type, String text, Matcher matcher) {
        int year = Integer.parseInt(matcher.group(1));
        if (year == 0) {
            throw new LiteralException("'" + text + "': years are 0001 to 9999");
        }
        try {
            return LocalDate.of(year, Integer.parseInt(matcher.group(2)), Integer.parseInt(matcher.group(3)));
        } catch (DateTimeException e) {
            throw new LiteralException("'" + text + "' is no day of the calendar");
        }
    }

    private static BigInteger time(CursorType type, String text) {
        if (DATE.matcher(text).matches()) {
            return micros(LocalDate.ofEpochDay(date(type, text)).atStartOfDay());
        }
        Matcher matcher = TIME.matcher(text);
        if (!matcher.matches()) {
            throw refused(type, text);
        }
        String fraction = matcher.group(7) == null ? "" : matcher.group(7);
        int nanos = Integer.parseInt((fraction + "000000000").substring(0, 9));
        LocalDateTime local;
        ZoneOffset offset;
        try {
            local = LocalDateTime.of(
                    date(type, text, matcher),
                    LocalTime.of(
                            Integer.parseInt(matcher.group(4)),
                            Integer.parseInt(matcher.group(5)),
                            Integer.parseInt(matcher.group(6)),
                            nanos));
            offset = matcher.group(8) == null ? ZoneOffset.UTC : ZoneOffset.of(matcher.group(8));
        } catch (DateTimeException e) {
            throw new LiteralException("'" + text + "' is no time of day, or its offset is none");
        }
        boolean utc = offset.getTotalSeconds() == 0 && !"-00:00".equals(matcher.group(8));
        if (type.kind() == CursorType.Kind.TIMESTAMP && !utc) {
            throw new LiteralException("'" + text + "' has an offset, and a timestamp column holds UTC: write it as "
                    + local.minusSeconds(offset.getTotalSeconds()));
        }
        return micros(local.minusSeconds(offset.getTotalSeconds()));
    }

    /** The microseconds from 1970 to a date and time in UTC. */
    static BigInteger micros(LocalDateTime time) {
        return BigInteger.valueOf(time.toEpochSecond(ZoneOffset.UTC))
                .multiply(BigInteger.valueOf(1_000_000))
                .add(BigInteger.valueOf(time.getNano() / 1_000));
    }

    static LiteralException refused(CursorType type, String text) {
        String looks =
                switch (type.kind()) {
                    case TINYINT, SMALLINT, INTEGER, BIGINT, UTINYINT, USMALLINT, UINTEGER, UBIGINT ->
                        "digits, as in 10000";
                    case DECIMAL -> "digits with an optional fraction, as in 12.5";
                    case DATE -> "yyyy-MM-dd, as in 2026-01-31";
                    case TIMESTAMP -> "yyyy-MM-dd or yyyy-MM-ddTHH:mm:ss in UTC, as in 2026-01-31T09:30:00";
                    case TIMESTAMPTZ, EPOCH_S, EPOCH_MS, EPOCH_US ->
                        "yyyy-MM-dd or yyyy-MM-ddTHH:mm:ss with an optional offset, as in 2026-01-31T09:30:00Z";
                };
        return new LiteralException("'" + text + "' is no " + type + ": write " + looks);
    }
}
