package dev.weir.connector.duckdb;

import static dev.weir.connector.DuckSession.literal;
import static dev.weir.connector.DuckSession.quoted;

import dev.weir.connector.Column;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.SourceColumn;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorType;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A request, checked against the entity's real columns and written as SQL.
 *
 * @param select the wanted columns, each an expression AS its name
 * @param cursor the cursor as the filter and the lowest value need it; empty for a full read
 */
record ReadPlan(List<String> select, Optional<CursorColumn> cursor) {

    /**
     * The cursor's column.
     *
     * @param expression the SQL that gives it in the type it is windowed by
     * @param columnType that type, as DuckDB prints it
     */
    record CursorColumn(String expression, String columnType, CursorType type) {

        CursorFilter filter() {
            return new CursorFilter(expression, columnType, type);
        }
    }

    static ReadPlan of(
            DuckSql sql, Connection connection, String place, ReadRequest request, List<SourceColumn> columns)
            throws SQLException {
        Optional<String> row = row(request, columns);
        List<String> select = new ArrayList<>();
        Optional<CursorColumn> cursor = Optional.empty();
        for (Column wanted : request.columns()) {
            SourceColumn real = find(place, wanted.name(), columns);
            String to = type(sql, connection, place, wanted, real);
            String name = quoted(wanted.name());
            String exact = new ExactCast(name, wanted.name(), real.sourceType(), to).sql(row);
            select.add(exact + " AS " + name);
            if (request.cursor().isPresent() && request.cursor().get().column().equals(wanted.name())) {
                cursor = Optional.of(cursor(place, request.cursor().get(), exact, to));
            }
        }
        if (request.hidesCursor()) {
            Cursor hidden = request.cursor().orElseThrow();
            SourceColumn real = find(place, hidden.column(), columns);
            cursor = Optional.of(cursor(place, hidden, quoted(hidden.column()), real.sourceType()));
            select.add(quoted(hidden.column()) + " AS " + quoted(ReadRequest.HIDDEN_CURSOR));
        }
        return new ReadPlan(List.copyOf(select), cursor);
    }

    String selectFrom(String relation) {
        return "SELECT " + String.join(", ", select) + " FROM " + relation;
    }

    /** What tells a row from the others in a message: its cursor, or else its first column. */
    private static Optional<String> row(ReadRequest request, List<SourceColumn> columns) {
        return request.cursor()
                .map(Cursor::column)
                .or(() -> columns.stream().map(SourceColumn::name).findFirst())
                .map(name -> literal(name + " = ") + " || coalesce(CAST(" + quoted(name) + " AS VARCHAR), 'NULL')");
    }

    private static SourceColumn find(String place, String name, List<SourceColumn> columns) {
        return columns.stream()
                .filter(column -> column.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new RunException(
                        Code.SOURCE,
                        place,
                        "there is no column " + name,
                        "the columns are "
                                + String.join(
                                        ", ",
                                        columns.stream().map(SourceColumn::name).toList())));
    }

    /** The wanted type as DuckDB prints it. */
    private static String type(DuckSql sql, Connection connection, String place, Column wanted, SourceColumn real)
            throws SQLException {
        if (real.type().isEmpty()) {
            throw new RunException(
                    Code.SOURCE,
                    place,
                    "the column " + wanted.name() + " has no type: all of it is a bare NULL",
                    "leave it out with columns:");
        }
        if (real.sourceType().equals(wanted.type())) {
            return wanted.type();
        }
        try {
            return sql.query(
                            connection,
                            "DESCRIBE SELECT CAST(NULL AS " + wanted.type() + ") AS c",
                            row -> row.getString(2))
                    .get(0);
        } catch (SQLException e) {
            throw new RunException(
                    Code.SOURCE,
                    place,
                    "the column " + wanted.name() + " cannot be read as " + wanted.type() + ": " + DuckSql.message(e),
                    "write a DuckDB type under columns:; the file has " + real.sourceType());
        }
    }

    private static CursorColumn cursor(String place, Cursor cursor, String expression, String columnType) {
        if (CursorType.named(columnType).filter(cursor.type()::isIn).isEmpty()) {
            throw new RunException(
                    Code.SOURCE,
                    place,
                    "the cursor " + cursor.column() + " is " + columnType + " in the file, not " + cursor.type(),
                    "the table has changed: correct columns: or the sync block");
        }
        return new CursorColumn(expression, columnType, cursor.type());
    }
}
