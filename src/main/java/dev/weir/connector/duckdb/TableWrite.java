package dev.weir.connector.duckdb;

import static dev.weir.connector.DuckSession.literal;
import static dev.weir.connector.DuckSession.quoted;

import dev.weir.connector.Column;
import dev.weir.connector.SinkTransaction.Written;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.Staged;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.slicing.CursorType;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Writes staged rows into one table, inside the caller's transaction.
 *
 * <p>A merge is a DELETE and an INSERT: measured, that is many times faster than MERGE or an index. {@code s} stands for
 * the staged rows, {@code t} for the table.
 */
final class TableWrite {

    /** Holds the numbers of an epoch from whatever column they are in. */
    private static final CursorType WIDE = CursorType.decimal(38, 6);

    private final DuckSql sql;
    private final Connection connection;
    private final String place;
    private final String table;
    private final Shape shape;
    private final Staged rows;

    TableWrite(DuckSql sql, Connection connection, String place, String table, Shape shape, Staged rows) {
        this.sql = sql;
        this.connection = connection;
        this.place = place;
        this.table = table;
        this.shape = shape;
        this.rows = rows;
    }

    Written write(SinkWrite how) throws SQLException {
        if (how instanceof SinkWrite.Merge merge) {
            return merge(merge);
        } else if (how instanceof SinkWrite.Replace) {
            sql.update(connection, "DELETE FROM " + table);
        } else if (how instanceof SinkWrite.Window window) {
            delete(window);
        }
        return written(insert(""), 0);
    }

    private void delete(SinkWrite.Window window) throws SQLException {
        Shape.Field field = shape.columns().stream()
                .filter(candidate -> candidate.name().equals(window.cursor()))
                .findFirst()
                .orElseThrow(() -> new RunException(
                        Code.SINK,
                        place,
                        "the table has no column " + window.cursor() + ", which its windows are cut by",
                        "add the cursor to the SELECT and to the table"));
        CursorType type = window.range().from().type();
        String wider = duckType(type.isEpoch() ? WIDE : type);
        CursorFilter filter = CursorType.named(field.type()).filter(type::isIn).isPresent()
                ? new CursorFilter(quoted(window.cursor()), field.type(), type)
                : new CursorFilter("CAST(" + quoted(window.cursor()) + " AS " + wider + ")", wider, type);
        sql.update(connection, "DELETE FROM " + table + " WHERE " + filter.in(window.range()));
    }

    /** A wider column in the table than the cursor of the source: compared as the cursor. */
    private static String duckType(CursorType type) {
        return type.kind() == CursorType.Kind.TIMESTAMPTZ
                ? "TIMESTAMP WITH TIME ZONE"
                : type.toString().toUpperCase(Locale.ROOT);
    }

    private Written merge(SinkWrite.Merge merge) throws SQLException {
        Twins twins = twins(merge);
        if (merge.keepColumns() && hasMoreColumns()) {
            return update(merge.keys(), twins);
        }
        deleteTwins(twins);
        return written(insert(twins.notKept()), twins.kept());
    }

    /** Deletes the stored rows of the staged keys, those apart that are newer. */
    Written delete(SinkWrite.Merge merge) throws SQLException {
        Twins twins = twins(merge);
        return new Written(0, twins.kept(), deleteTwins(twins));
    }

    private long deleteTwins(Twins twins) throws SQLException {
        String which = twins.kept() == 0 ? staged() : "(SELECT * FROM " + staged() + twins.notKept() + ") AS s";
        return sql.update(connection, "DELETE FROM " + table + " AS t USING " + which + " WHERE " + twins.sameKey());
    }

    /**
     * The stored rows that have the keys of staged ones.
     *
     * @param sameKey whether a row is one
     * @param newer whether such a row is newer than the staged one
     * @param kept how many staged rows have a newer one
     * @param notKept the clause that leaves those staged rows out; empty when there are none
     */
    private record Twins(String sameKey, String newer, long kept, String notKept) {}

    private Twins twins(SinkWrite.Merge merge) throws SQLException {
        String sameKey = merge.keys().stream()
                .map(key -> "t." + quoted(key) + " = " + value(key))
                .collect(Collectors.joining(" AND "));
        // Rows of one key are none newer than the other by a part of the key.
        Optional<String> decides = merge.orderBy().filter(order -> !merge.keys().contains(order));
        String newer =
                decides.map(order -> newer("t." + quoted(order), value(order))).orElse("false");
        long kept = decides.isEmpty() ? 0 : countNewer(merge, decides.get(), sameKey, newer);
        String notKept = kept == 0
                ? ""
                : " WHERE NOT EXISTS (SELECT 1 FROM " + table + " AS t WHERE " + sameKey + " AND " + newer + ")";
        return new Twins(sameKey, newer, kept, notKept);
    }

    /** Whether the table's row is newer than the staged one. A NULL is lower than every value. */
    private static String newer(String stored, String staged) {
        return "coalesce(" + stored + " > " + staged + ", " + stored + " IS NOT NULL AND " + staged + " IS NULL)";
    }

    private long countNewer(SinkWrite.Merge merge, String order, String sameKey, String newer) throws SQLException {
        String key = merge.keys().stream().map(name -> "s." + quoted(name)).collect(Collectors.joining(", "));
        return sql.count(
                connection,
                "SELECT count(*) FROM (SELECT DISTINCT " + key + " FROM " + table + " AS t, " + staged() + " WHERE "
                        + sameKey + " AND " + newer + aboveTheLowest(order) + ")");
    }

    /**
     * A stored row newer than any staged one is above the lowest of them. Said as a constant, DuckDB skips what it knows to
     * lie below, which in a forward run is the whole table. For types whose text is exact, and where no NULL is staged.
     */
    private String aboveTheLowest(String order) throws SQLException {
        String type = type(order);
        if (CursorType.named(type).isEmpty()) {
            return "";
        }
        return sql
                .query(
                        connection,
                        "SELECT CAST(min(" + value(order) + ") AS VARCHAR) FROM " + staged()
                                + " HAVING count(*) = count(s." + quoted(order) + ") AND count(*) > 0",
                        row -> " AND t." + quoted(order) + " > CAST(" + literal(row.getString(1)) + " AS " + type + ")")
                .stream()
                .findFirst()
                .orElse("");
    }

    /** Replaces what the rows have and keeps what only the table has. */
    private Written update(List<String> keys, Twins twins) throws SQLException {
        String sameKey = twins.sameKey();
        String unlessNewer = twins.kept() == 0 ? "" : " AND NOT (" + twins.newer() + ")";
        String sets = rows.columns().stream()
                .map(Column::name)
                .filter(name -> !keys.contains(name))
                .map(name -> quoted(name) + " = " + value(name))
                .collect(Collectors.joining(", "));
        long known = sql.count(
                connection,
                "SELECT count(*) FROM " + staged() + " WHERE EXISTS (SELECT 1 FROM " + table + " AS t WHERE " + sameKey
                        + ")");
        if (!sets.isEmpty()) {
            sql.update(
                    connection,
                    "UPDATE " + table + " AS t SET " + sets + " FROM " + staged() + " WHERE " + sameKey + unlessNewer);
        }
        long inserted = insert(" WHERE NOT EXISTS (SELECT 1 FROM " + table + " AS t WHERE " + sameKey + ")");
        return written(known - twins.kept() + inserted, twins.kept());
    }

    private boolean hasMoreColumns() {
        return shape.columns().stream()
                .anyMatch(field -> !field.generated()
                        && rows.columns().stream()
                                .noneMatch(column -> column.name().equals(field.name())));
    }

    private long insert(String where) throws SQLException {
        String names =
                rows.columns().stream().map(column -> quoted(column.name())).collect(Collectors.joining(", "));
        String values =
                rows.columns().stream().map(column -> value(column.name())).collect(Collectors.joining(", "));
        return sql.update(
                connection, "INSERT INTO " + table + " (" + names + ") SELECT " + values + " FROM " + staged() + where);
    }

    private Written written(long inserted, long kept) {
        if (inserted != rows.rows() - kept) {
            throw new RunException(
                    Code.INTERNAL,
                    place,
                    inserted + " rows were written of " + rows.rows() + " staged, " + kept + " of them kept newer",
                    "this is a bug in weir: please report it with this message; nothing was kept");
        }
        return new Written(inserted, kept);
    }

    private String staged() {
        return rows.relation() + " AS s";
    }

    /** A staged column in the type of the table's column; the check has seen to it that nothing is lost. */
    private String value(String name) {
        String type = type(name);
        String staged = rows.columns().stream()
                .filter(column -> column.name().equals(name))
                .findFirst()
                .map(Column::type)
                .orElseThrow(() -> new RunException(
                        Code.SINK,
                        place,
                        "the pipeline produces no column " + name,
                        "its columns are "
                                + String.join(
                                        ", ",
                                        rows.columns().stream()
                                                .map(Column::name)
                                                .toList())));
        return staged.equals(type) ? "s." + quoted(name) : "CAST(s." + quoted(name) + " AS " + type + ")";
    }

    /** The type of the table's column. */
    private String type(String name) {
        return shape.columns().stream()
                .filter(field -> field.name().equals(name))
                .findFirst()
                .map(Shape.Field::type)
                .orElseThrow(() -> new RunException(
                        Code.SINK, place, "the table has no column " + name, "add it, or leave it out of the SELECT"));
    }
}
