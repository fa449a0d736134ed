package dev.weir.connector.sqlite;

import dev.weir.connector.ColumnWriter;
import dev.weir.connector.SliceRead;
import dev.weir.connector.jdbc.Excerpt;
import dev.weir.connector.jdbc.Unrepresentable;
import dev.weir.connector.sqlite.ReadPlan.ReadColumn;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of a SELECT, each value checked as it comes. SQLite steps from row to row, so nothing is kept. */
final class RowRead implements SliceRead.Vectors {

    private static final char REPLACEMENT = '\ufffd';
    private static final int SHOWN_BYTES = 40;

    private final SqliteSnapshot snapshot;
    private final String place;
    private final ReadPlan plan;
    private final List<ReadColumn> columns;
    private final Statement statement;
    private final ResultSet rows;
    private boolean ended;
    private long row;

    RowRead(SqliteSnapshot snapshot, String place, ReadPlan plan, Statement statement, ResultSet rows) {
        this.snapshot = snapshot;
        this.place = place;
        this.plan = plan;
        this.columns = plan.columns();
        this.statement = statement;
        this.rows = rows;
    }

    @Override
    public List<WireColumn> columns() {
        return columns.stream().map(ReadColumn::wire).toList();
    }

    @Override
    public int fill(ColumnWriter writer) {
        return snapshot.ask(connection -> {
            int filled = 0;
            while (!ended && filled < writer.capacity()) {
                if (rows.next()) {
                    decode(writer, filled++);
                } else {
                    close();
                }
            }
            return filled;
        });
    }

    /** Whether everything was read. */
    boolean isComplete() {
        return ended;
    }

    /** Ends the read, also in the middle of it. */
    void close() throws SQLException {
        ended = true;
        try (statement) {
            rows.close();
        }
    }

    private void decode(ColumnWriter writer, int to) throws SQLException {
        row++;
        for (int i = 0; i < columns.size(); i++) {
            Object value = rows.getObject(i + 1);
            if (value == null) {
                writer.setNull(i, to);
                continue;
            }
            try {
                if (value instanceof String text && text.indexOf(REPLACEMENT) >= 0) {
                    checkUtf8(text, rows.getBytes(i + 1));
                }
                columns.get(i).reading().decoder().decode(value, writer, i, to);
            } catch (Unrepresentable e) {
                throw offending(columns.get(i).name(), Numbers.storage(value), which(), e);
            }
        }
    }

    /** The driver puts a mark in place of bytes that are none of a text; SQLite keeps whatever it was given. */
    private static void checkUtf8(String text, byte[] stored) {
        if (!Arrays.equals(text.getBytes(StandardCharsets.UTF_8), stored)) {
            throw new Unrepresentable(
                    "the bytes " + HexFormat.of().formatHex(stored, 0, Math.min(stored.length, SHOWN_BYTES)),
                    "are not valid UTF-8");
        }
    }

    private String which() throws SQLException {
        String named = rowName(rows, columns.size(), plan.rowLabels());
        return named.isEmpty() ? "row " + row + " of the slice" : "the row with " + named;
    }

    /**
     * What a message calls a row.
     *
     * @param before how many columns stand before those that name it
     */
    static String rowName(ResultSet row, int before, List<String> labels) throws SQLException {
        List<String> named = new ArrayList<>();
        for (int i = 0; i < labels.size(); i++) {
            named.add(labels.get(i) + " = " + shown(row.getObject(before + i + 1)));
        }
        return String.join(", ", named);
    }

    private static String shown(@Nullable Object value) {
        return value == null ? "NULL" : value instanceof String text ? Excerpt.of(text) : Numbers.shown(value);
    }

    private RunException offending(String column, String storage, String which, Unrepresentable found) {
        return offending(place, column, storage, which, found);
    }

    /** The failure that names a value its column's type cannot hold. */
    static RunException offending(String place, String column, String storage, String which, Unrepresentable found) {
        return new RunException(
                Code.UNREPRESENTABLE,
                place,
                "in " + which + ", column " + column + " holds " + found.value() + " (typeof " + storage + "), which "
                        + found.reason(),
                "mend the row, or declare the column with a type that holds it under columns: (varchar takes any text or"
                        + " number)");
    }
}
