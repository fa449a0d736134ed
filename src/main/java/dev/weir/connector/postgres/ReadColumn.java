package dev.weir.connector.postgres;

import dev.weir.connector.SliceRead.WireColumn;
import dev.weir.connector.jdbc.Unrepresentable;

/**
 * One column of a read.
 *
 * @param name as the source spells it
 * @param stagedName its name in the staged table
 * @param type its type
 * @param reading how it is read
 */
record ReadColumn(String name, String stagedName, PgType type, Reading reading) {

    /** What the server is asked for. */
    String selected() {
        return reading.asked().replace("%s", Sql.quote(name));
    }

    /** How it comes into DuckDB. */
    WireColumn wired() {
        return new WireColumn(stagedName, reading.wire(), reading.restored());
    }

    /** A value of a cursor's type, for messages. */
    String shown(byte[] data, int at, int length) {
        if (!reading.asked().equals(Reading.PLAIN) || !reading.form().fits(data, at, length)) {
            return "?";
        }
        try {
            return shown(data, at);
        } catch (Unrepresentable e) {
            return e.value();
        }
    }

    private String shown(byte[] data, int at) {
        return switch (type.family()) {
            case INT2 -> Short.toString(Binary.getShort(data, at));
            case INT4 -> Integer.toString(Binary.getInt(data, at));
            case INT8 -> Long.toString(Binary.getLong(data, at));
            case NUMERIC -> Numerics.text(data, at);
            case DATE -> Texts.date(Binary.days(data, at));
            case TIMESTAMP, TIMESTAMPTZ -> Texts.timestamp(Binary.micros(data, at));
            default -> "?";
        };
    }
}
