package dev.weir.engine;

import static dev.weir.connector.DuckSession.quoted;

import dev.weir.connector.Column;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** Reads the greatest finite cursor of staged rows in whole units, floored: below 1970 too. */
final class GreatestCursor {

    private static final String NANOSECONDS = "TIMESTAMP_NS";

    private GreatestCursor() {}

    static String select(Column column, CursorType type, String relation) {
        String max = "max(" + quoted(column.name()) + ")"
                + (type.isTime() ? " FILTER (WHERE isfinite(" + quoted(column.name()) + "))" : "");
        String units;
        if (type.kind() == CursorType.Kind.DATE) {
            units = max + " - DATE '1970-01-01'";
        } else if (column.type().equals(NANOSECONDS)) {
            units = "epoch_ns(" + max + ")";
        } else if (type.isInstant()) {
            units = "epoch_us(" + max + ")";
        } else {
            units = max;
        }
        return "SELECT CAST(" + units + " AS VARCHAR) FROM " + relation;
    }

    static Optional<CursorValue> read(ResultSet result, Column column, CursorType type) throws SQLException {
        String text = result.getString(1);
        if (text == null) {
            return Optional.empty();
        }
        if (type.isTime()) {
            long units = Long.parseLong(text);
            return Optional.of(type.units(column.type().equals(NANOSECONDS) ? Math.floorDiv(units, 1_000) : units));
        }
        BigInteger units = new BigDecimal(text).setScale(type.scale()).unscaledValue();
        return Optional.of(type.units(units));
    }
}
