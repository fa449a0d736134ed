package dev.weir.plan;

import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import java.util.Locale;

/** Writes a cursor value as a typed SQL expression of DuckDB, exact to the ends of its type. */
final class CursorLiteral {

    private CursorLiteral() {}

    static String of(RenderContext.Watermark watermark) {
        return watermark.value().map(CursorLiteral::of).orElse("CAST(NULL AS " + name(watermark.type()) + ")");
    }

    /** Times and dates are given in their units: not every year has a text that DuckDB reads back. */
    static String of(CursorValue value) {
        return switch (value.type().kind()) {
            case TINYINT, SMALLINT, INTEGER, BIGINT, UTINYINT, USMALLINT, UINTEGER, UBIGINT, DECIMAL ->
                "CAST('" + value + "' AS " + name(value.type()) + ")";
            case DATE ->
                isCommonYear(value)
                        ? "CAST('" + value + "' AS DATE)"
                        : "(DATE '1970-01-01' + CAST('" + value.units() + "' AS INTEGER))";
            case TIMESTAMP ->
                isCommonYear(value)
                        ? "CAST('" + value + "' AS TIMESTAMP)"
                        : "make_timestamp(CAST('" + value.units() + "' AS BIGINT))";
            case TIMESTAMPTZ ->
                isCommonYear(value)
                        ? "CAST('" + value + "' AS TIMESTAMP WITH TIME ZONE)"
                        : "make_timestamptz(CAST('" + value.units() + "' AS BIGINT))";
            case EPOCH_S, EPOCH_MS, EPOCH_US ->
                throw new IllegalArgumentException("SQL sees the number that its column has for " + value);
        };
    }

    private static boolean isCommonYear(CursorValue value) {
        int year = value.toLocalDateTime().getYear();
        return year >= 1 && year <= 9999;
    }

    private static String name(CursorType type) {
        return type.kind() == CursorType.Kind.TIMESTAMPTZ
                ? "TIMESTAMP WITH TIME ZONE"
                : type.toString().toUpperCase(Locale.ROOT);
    }
}
