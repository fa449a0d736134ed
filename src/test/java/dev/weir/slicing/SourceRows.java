package dev.weir.slicing;

import java.math.BigInteger;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A source as a plain list of rows, asked row by row: what every read is measured against.
 *
 * <p>Times are kept in whole nanoseconds, finer than any position, so that the bounds of a read are tested themselves.
 */
final class SourceRows {

    /** Above every finite value, as databases order it. */
    static final BigInteger INFINITY = BigInteger.TEN.pow(60);
    /** Above even infinity, as databases order it. */
    static final BigInteger NAN = BigInteger.TEN.pow(61);

    private static final BigInteger NANOS_PER_MICRO = BigInteger.valueOf(1_000);

    /**
     * @param id which row it is
     * @param fine its cursor in nanoseconds for timestamps, in units for every other type; null: NULL
     */
    record Row(int id, @Nullable BigInteger fine) {}

    private final CursorType type;
    private final List<Row> rows = new ArrayList<>();

    SourceRows(CursorType type) {
        this.type = type;
    }

    /** The rows of those texts, in the form of the vectors. */
    static SourceRows of(CursorType type, List<@Nullable String> texts) {
        SourceRows source = new SourceRows(type);
        texts.forEach(text -> source.add(text == null ? null : fine(type, text)));
        return source;
    }

    private static BigInteger fine(CursorType type, String text) {
        switch (text) {
            case "NaN":
                return NAN;
            case "Infinity":
                return INFINITY;
            case "-Infinity":
                return INFINITY.negate();
            default:
                break;
        }
        if (!type.isInstant()) {
            return type.read(text).units();
        }
        LocalDateTime time = LocalDateTime.parse(text.endsWith("Z") ? text.substring(0, text.length() - 1) : text);
        return BigInteger.valueOf(time.toEpochSecond(ZoneOffset.UTC))
                .multiply(BigInteger.valueOf(1_000_000_000))
                .add(BigInteger.valueOf(time.getNano()));
    }

    void add(@Nullable BigInteger fine) {
        rows.add(new Row(rows.size(), fine));
    }

    List<Row> all() {
        return List.copyOf(rows);
    }

    /** The rows that satisfy every bound of the range: a WHERE clause, taken literally. */
    List<Row> in(CursorRange range) {
        return rows.stream()
                .filter(row -> row.fine() != null)
                .filter(row -> range.bounds().stream().allMatch(bound -> satisfies(row, bound)))
                .toList();
    }

    /** The least cursor in the range, floored. */
    Optional<CursorValue> lowest(CursorRange range) {
        return in(range).stream().map(this::floored).min(CursorValue::compareTo);
    }

    /** The greatest cursor in the range, floored. */
    Optional<CursorValue> highest(CursorRange range) {
        return in(range).stream().map(this::floored).max(CursorValue::compareTo);
    }

    private boolean satisfies(Row row, Bound bound) {
        int compared = row.fine().compareTo(bound.value().units().multiply(finePerUnit(type)));
        return switch (bound.operator()) {
            case AT_LEAST -> compared >= 0;
            case ABOVE -> compared > 0;
            case BELOW -> compared < 0;
            case AT_MOST -> compared <= 0;
        };
    }

    /** The finite rows whose floored cursor lies in the range, by the definition of the range alone. */
    List<Row> finiteIn(CursorRange range) {
        return rows.stream()
                .filter(SourceRows::isFinite)
                .filter(row -> range.contains(floored(row)))
                .toList();
    }

    CursorValue floored(Row row) {
        BigInteger scale = finePerUnit(type);
        return type.units(row.fine().subtract(row.fine().mod(scale)).divide(scale));
    }

    static BigInteger finePerUnit(CursorType type) {
        return type.isInstant() ? NANOS_PER_MICRO : BigInteger.ONE;
    }

    static boolean isFinite(Row row) {
        return row.fine() != null && row.fine().abs().compareTo(INFINITY) < 0;
    }

    long nullCount() {
        return rows.stream().filter(row -> row.fine() == null).count();
    }

    /** How many cursors are infinite or NaN. */
    long infiniteCount() {
        return rows.stream().filter(row -> row.fine() != null && !isFinite(row)).count();
    }
}
