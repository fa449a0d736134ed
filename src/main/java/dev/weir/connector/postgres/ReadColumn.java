package dev.weir.connector.postgres;

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
        return reading.asText() ? Sql.quote(name) + "::text" : Sql.quote(name);
    }

    /** A value of a cursor's type, for messages. */
    String shown(byte[] data, int at) {
        if (reading.asText()) {
            return "?";
        }
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
