package dev.weir.connector;

import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * Numbers that count time since 1970, and the times they are.
 *
 * @param unit what they count
 * @param column the DuckDB type of their column, as DuckDB prints it
 * @param values as DuckDB prints them, ordered upwards; some are no time, being beyond all of them
 */
public record EpochSamples(CursorType unit, String column, List<String> values) {

    private static EpochSamples of(String unit, String column, String... values) {
        return new EpochSamples(CursorType.epoch(unit).orElseThrow(), column, List.of(values));
    }

    /** Of each width, sign and scale, the ends of all times among them. */
    public static List<EpochSamples> all() {
        return List.of(
                of("epoch_s", "INTEGER", "-2147483648", "-1", "0", "1767225600", "2147483647"),
                of("epoch_ms", "SMALLINT", "-32768", "-1", "1", "32767"),
                of(
                        "epoch_ms",
                        "BIGINT",
                        "-9223372036854775808",
                        "-9223372036854776",
                        "-9223372036854775",
                        "-1001",
                        "1767225600000",
                        "9223372036854775",
                        "9223372036854776"),
                of(
                        "epoch_us",
                        "BIGINT",
                        "-9223372036854775807",
                        "-9223372036854775806",
                        "-1",
                        "0",
                        "9223372036854775806",
                        "9223372036854775807"),
                of(
                        "epoch_us",
                        "UBIGINT",
                        "0",
                        "1767225600000000",
                        "9223372036854775806",
                        "9223372036854775807",
                        "18446744073709551615"),
                of(
                        "epoch_s",
                        "DECIMAL(20,9)",
                        "-0.000000001",
                        "0.000000000",
                        "1767225600.123456001",
                        "1767225600.123456999",
                        "1767225600.123457000",
                        "99999999999.999999999"),
                of(
                        "epoch_ms",
                        "DECIMAL(38,6)",
                        "-99999999999999999999999999999999.000000",
                        "1767225600000.000999",
                        "1767225600000.001000",
                        "9223372036854775.806000",
                        "9223372036854775.806001"));
    }

    /** The time of a number, its whole microsecond. */
    CursorValue time(String number) {
        return unit.number(new BigDecimal(number));
    }

    /** Those that are times. */
    List<String> finite() {
        return values.stream()
                .filter(number -> {
                    BigDecimal exact = new BigDecimal(number);
                    return exact.compareTo(unit.least().toBigDecimal()) >= 0
                            && exact.compareTo(unit.greatest().toBigDecimal()) <= 0;
                })
                .toList();
    }

    List<String> in(CursorRange range) {
        return finite().stream().filter(number -> range.contains(time(number))).toList();
    }

    /** From each time and from just beside it to each other one, and all there is. */
    List<CursorRange> ranges() {
        List<CursorRange> ranges = new ArrayList<>();
        ranges.add(CursorRange.startingAt(unit.least(), unit.greatest()));
        for (String from : finite()) {
            for (String to : finite()) {
                ranges.add(CursorRange.startingAt(time(from), time(to)));
                ranges.add(CursorRange.above(time(from), time(to)));
                ranges.add(CursorRange.above(before(from), before(to)));
            }
        }
        return ranges;
    }

    /** The microsecond of each time, then all there is. */
    List<CursorRange> moments() {
        List<CursorRange> ranges = new ArrayList<>();
        finite().forEach(number -> ranges.add(CursorRange.above(before(number), time(number))));
        ranges.add(CursorRange.startingAt(unit.least(), unit.greatest()));
        return ranges;
    }

    private CursorValue before(String number) {
        return time(number).plus(BigInteger.ONE.negate());
    }

    /** As users name them: {@code epoch_ms in a BIGINT}. */
    @Override
    public String toString() {
        return unit + " in a " + column;
    }
}
