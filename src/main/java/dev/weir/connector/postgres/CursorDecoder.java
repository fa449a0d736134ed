package dev.weir.connector.postgres;

import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * Reads the cursor's column of rows that are not decoded otherwise.
 *
 * @param place which of the fields it is
 * @param width how many bytes it has
 * @param number its value in whole units, counted as the cursor's type counts
 * @param infinite what stands for infinity, and negative for the other one; zero: there is none
 */
record CursorDecoder(int place, CursorType type, int width, Number number, long infinite) {

    /** A value as a number. */
    @FunctionalInterface
    interface Number {
        long of(byte[] data, int at);
    }

    /** Empty: a cursor that is not simply a whole number or a time. */
    static Optional<CursorDecoder> of(ReadPlan.CursorColumn column) {
        CursorType type = column.cursor().type();
        if (type.isEpoch() || column.isWiderThanCursor()) {
            return Optional.empty();
        }
        boolean whole = type.isOfNumbers();
        int place = column.place();
        return Optional.ofNullable(
                switch (column.type().family()) {
                    case INT2 -> whole ? new CursorDecoder(place, type, 2, Binary::getShort, 0) : null;
                    case INT4 -> whole ? new CursorDecoder(place, type, 4, Binary::getInt, 0) : null;
                    case INT8 -> whole ? new CursorDecoder(place, type, 8, Binary::getLong, 0) : null;
                    case DATE ->
                        type.kind() == CursorType.Kind.DATE
                                ? new CursorDecoder(place, type, 4, Binary::days, Binary.INFINITE_DAYS)
                                : null;
                    case TIMESTAMP, TIMESTAMPTZ ->
                        type.kind() == CursorType.Kind.TIMESTAMP || type.kind() == CursorType.Kind.TIMESTAMPTZ
                                ? new CursorDecoder(place, type, 8, Binary::micros, Binary.INFINITE_MICROS)
                                : null;
                    default -> null;
                });
    }

    /** Whether a value is finite. */
    boolean isFinite(long value) {
        return infinite == 0 || value != infinite && value != -infinite;
    }

    CursorValue value(long units) {
        return type.number(BigDecimal.valueOf(units));
    }
}
