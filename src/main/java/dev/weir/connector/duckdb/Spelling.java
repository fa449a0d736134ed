package dev.weir.connector.duckdb;

import dev.weir.connector.jdbc.DuckType;
import java.util.Optional;

/**
 * How a text must be written so that DuckDB's cast of it loses nothing, as patterns of a whole text.
 *
 * <p>DuckDB takes more than these, and drops what the type cannot hold: an offset, a date before a time, digits.
 */
final class Spelling {

    /** A finite number. */
    static final String NUMBER = "[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?";

    /** A number that is none or infinite. */
    static final String INFINITE = "(?i)[+-]?(inf|infinity|nan)";

    private static final String WHOLE = "[+-]?[0-9]+";
    private static final String DATE = "[0-9]{4,}-[0-9]{2}-[0-9]{2}( [(]BC[)])?";
    private static final String ENDLESS = "|-?infinity";
    private static final String CLOCK = "[0-9]{2}:[0-9]{2}:[0-9]{2}";
    private static final String OFFSET = "(Z|[+-][0-9:]+)?";
    private static final String UTC = "(Z|[+]00(:?00)?)?";
    private static final String HEX = "[0-9a-fA-F]";
    private static final int MICROS = 6;
    private static final int NANOS = 9;

    private Spelling() {}

    /**
     * @param type as DuckDB prints it
     * @return empty: a text must be just what DuckDB prints for its value
     */
    static Optional<String> of(String type) {
        DuckType to = DuckType.named(type);
        if (to.kind().isInteger()) {
            return Optional.of(WHOLE);
        }
        return switch (to.kind()) {
            case BIGNUM -> Optional.of(WHOLE);
            case DECIMAL -> Optional.of(WHOLE + fraction(to.scale()));
            case DATE -> Optional.of(DATE + ENDLESS);
            case TIME -> Optional.of(CLOCK + fraction(MICROS));
            case TIMETZ -> Optional.of(CLOCK + fraction(MICROS) + "([+-][0-9:]+)?");
            case TIMESTAMP_S -> Optional.of(timestamp(0, UTC));
            case TIMESTAMP_MS -> Optional.of(timestamp(3, UTC));
            case TIMESTAMP -> Optional.of(timestamp(MICROS, UTC));
            case TIMESTAMP_NS -> Optional.of(timestamp(NANOS, UTC));
            case TIMESTAMPTZ -> Optional.of(timestamp(MICROS, OFFSET));
            case INTERVAL ->
                Optional.of(
                        "(-?[0-9]+ (year|month|mon|day)s?( |$))*(-?[0-9]+:[0-9]{2}:[0-9]{2}" + fraction(MICROS) + ")?");
            case UUID -> Optional.of(HEX + "{8}(-" + HEX + "{4}){3}-" + HEX + "{12}");
            case JSON -> Optional.of("(?s).*");
            default -> byName(type);
        };
    }

    private static Optional<String> byName(String type) {
        return switch (type) {
            case "TIME_NS" -> Optional.of(CLOCK + fraction(NANOS));
            case "TIMESTAMPTZ_NS" -> Optional.of(timestamp(NANOS, OFFSET));
            default -> Optional.empty();
        };
    }

    /** At most so many digits behind the point, and zeros. */
    private static String fraction(int digits) {
        return "([.][0-9]{0," + digits + "}0*)?";
    }

    private static String timestamp(int digits, String offset) {
        return DATE + "([ T]" + CLOCK + fraction(digits) + offset + ")?" + ENDLESS;
    }
}
