package dev.weir.connector.postgres;

import dev.weir.connector.jdbc.DuckType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Rows of the benchmark's table {@code orders} as a server sends them: a binary COPY, a message a row. */
final class SentOrders {

    private static final byte[] SIGNATURE = {'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0};
    private static final String[] STATUS = {"new", "paid", "shipped", "cancelled"};
    private static final String NOTE = "c4ca4238a0b923820dcc509a6f75849b";

    /** Microseconds from 2000-01-01, where Postgres begins to count, to 2024-01-01. */
    private static final long START_MICROS = 8766L * 86_400 * 1_000_000;

    private static final long STEP_MICROS = 10_000_000;
    private static final int LONGEST = 1_000;

    private SentOrders() {}

    static List<ReadColumn> columns() {
        return List.of(
                column("id", 20, -1, "BIGINT"),
                column("customer_id", 20, -1, "BIGINT"),
                column("status", 25, -1, "VARCHAR"),
                column("amount", 701, -1, "DOUBLE"),
                column("price", 1700, (12 << 16 | 2) + 4, "DECIMAL(12,2)"),
                column("note", 25, -1, "VARCHAR"),
                column("created_at", 1184, -1, "TIMESTAMPTZ"),
                column("updated_at", 1114, -1, "TIMESTAMP"),
                column("paid", 16, -1, "BOOLEAN"));
    }

    private static ReadColumn column(String name, long oid, int modifier, String weirType) {
        PgType type = PgType.of(oid, modifier, "b", "t", name);
        return new ReadColumn(
                name,
                name,
                type,
                Reading.of(type, DuckType.named(weirType), false).orElseThrow());
    }

    /** The header, the rows and the end. */
    static List<byte[]> messages(int rows) {
        List<byte[]> messages = new ArrayList<>();
        messages.add(sent(ByteBuffer.allocate(LONGEST).put(SIGNATURE).putInt(0).putInt(0)));
        for (int id = 1; id <= rows; id++) {
            messages.add(row(id));
        }
        messages.add(sent(ByteBuffer.allocate(LONGEST).putShort((short) -1)));
        return messages;
    }

    private static byte[] row(int id) {
        ByteBuffer row = ByteBuffer.allocate(LONGEST).putShort((short) 9);
        row.putInt(8).putLong(id);
        row.putInt(8).putLong(id * 7919L % 100_000);
        text(row, STATUS[id % STATUS.length]);
        row.putInt(8).putDouble(id % 10_000 / 7.0);
        price(row, id % 100_000);
        text(row, NOTE);
        row.putInt(8).putLong(START_MICROS + id * STEP_MICROS);
        row.putInt(8).putLong(START_MICROS + id * STEP_MICROS);
        row.putInt(1).put((byte) (id % 2 == 0 ? 1 : 0));
        return sent(row);
    }

    private static void text(ByteBuffer row, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        row.putInt(utf8.length).put(utf8);
    }

    /** A numeric of two places: its digits count to ten thousand, and zeros at its ends are not sent. */
    private static void price(ByteBuffer row, int cents) {
        List<Short> digits = new ArrayList<>();
        int whole = cents / 100;
        int fraction = cents % 100 * 100;
        if (whole > 0) {
            digits.add((short) whole);
        }
        if (fraction > 0) {
            digits.add((short) fraction);
        }
        int weight = whole == 0 && fraction > 0 ? -1 : 0;
        row.putInt(8 + 2 * digits.size())
                .putShort((short) digits.size())
                .putShort((short) weight)
                .putShort((short) 0)
                .putShort((short) 2);
        digits.forEach(row::putShort);
    }

    private static byte[] sent(ByteBuffer message) {
        byte[] bytes = new byte[message.position()];
        message.flip().get(bytes);
        return bytes;
    }
}
