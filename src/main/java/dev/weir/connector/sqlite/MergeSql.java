package dev.weir.connector.sqlite;

import dev.weir.connector.SinkTransaction.Written;
import dev.weir.connector.SinkWrite;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The statements that merge rows into a table.
 *
 * <p>With a unique index on the keys each row goes straight into the table. Without one the rows are put into a TEMP table
 * first, and the table is gone through once, not once a row; so too where a trigger may drop rows, which an upsert could not
 * tell from rows it kept. A stored row is newer when its order column is greater.
 */
final class MergeSql {

    /** The TEMP table of rows on their way. */
    static final String STAGING = "temp._weir_staging";

    private static final String KNOWN = "_weir_known";

    /** Numbers the staged rows; a column of the table's own may be called rowid. */
    private static final String ROW = "_weir_row";

    private final Target target;
    private final List<String> columns;
    private final SinkWrite.Merge merge;

    MergeSql(Target target, List<String> columns, SinkWrite.Merge merge) {
        this.target = target;
        this.columns = columns;
        this.merge = merge;
    }

    /** Whether SQLite itself can find the conflicts, and its count tells what became of the rows. */
    boolean isUpsert() {
        return !target.dropsRows() && isIndexed();
    }

    private boolean isIndexed() {
        return target.uniqueKeys().contains(new HashSet<>(merge.keys()));
    }

    /** Inserts one row, or replaces the stored one that is not newer. Keys are set too: equal is not always the same. */
    String upsert(Connection connection) throws SQLException {
        String values = columns.stream().map(column -> "?").collect(Collectors.joining(", "));
        return "INSERT OR ABORT INTO " + target.sql() + " AS t (" + Sql.quote(columns) + ") VALUES (" + values
                + ") ON CONFLICT (" + Sql.quote(merge.keys()) + ") DO UPDATE SET " + set("excluded")
                + unlessNewer(connection, " WHERE ", "excluded");
    }

    private String set(String incoming) {
        return columns.stream()
                .map(column -> Sql.quote(column) + " = " + incoming + "." + Sql.quote(column))
                .collect(Collectors.joining(", "));
    }

    private String unlessNewer(Connection connection, String before, String incoming) throws SQLException {
        return merge.orderBy().isEmpty() ? "" : before + "NOT " + newer(connection, incoming);
    }

    private String newer(Connection connection, String incoming) throws SQLException {
        String order = merge.orderBy().orElseThrow();
        return OrderFunction.above(
                connection, target.type(order), "t." + Sql.quote(order), incoming + "." + Sql.quote(order));
    }

    /** Makes the TEMP table anew, with the table's own types, so that values become what they would become there. */
    void makeStaging(Connection connection) throws SQLException {
        Session.execute(connection, "DROP TABLE IF EXISTS " + STAGING);
        String declared = columns.stream()
                .map(column -> Sql.quote(column) + " " + target.type(column).written())
                .collect(Collectors.joining(", "));
        Session.execute(
                connection,
                "CREATE TEMP TABLE _weir_staging (" + declared + ", " + KNOWN + " INTEGER, " + ROW
                        + " INTEGER PRIMARY KEY, UNIQUE ("
                        + Sql.quote(merge.keys()) + "))");
    }

    Written mergeStaging(Connection connection) throws SQLException {
        long known = mark(connection, 1, "");
        long newer = merge.orderBy().isPresent() ? mark(connection, 2, " WHERE " + newer(connection, "s")) : 0;
        long updated = Session.update(
                connection,
                "UPDATE OR ABORT " + target.sql() + " AS t SET " + set("s") + " FROM " + STAGING + " AS s WHERE "
                        + sameKey() + " AND s." + KNOWN + " = 1");
        long inserted = Session.update(
                connection,
                "INSERT OR ABORT INTO " + target.sql() + " (" + Sql.quote(columns) + ") SELECT " + Sql.quote(columns)
                        + " FROM " + STAGING + " WHERE " + KNOWN + " IS NULL");
        // One staged row may have replaced several stored ones: the table need not hold the keys apart.
        return new Written(Math.min(updated, known - newer) + inserted, newer);
    }

    /** Deletes the stored rows of the staged keys; those apart whose key has a newer one. */
    Written deleteStaged(Connection connection) throws SQLException {
        long newer = merge.orderBy().isPresent() ? mark(connection, 2, " WHERE " + newer(connection, "s")) : 0;
        return new Written(0, newer, Session.update(connection, "DELETE FROM " + target.sql() + " AS t" + staged()));
    }

    /** How many rows are stored that {@link #deleteStaged} was to delete. */
    long countStaged(Connection connection) throws SQLException {
        return Session.number(connection, "SELECT count(*) FROM " + target.sql() + " AS t" + staged());
    }

    /** Rows of the staged keys that none is newer than. An index on one key is used. */
    private String staged() {
        String stored = merge.keys().stream()
                .map(key -> "t." + Sql.quote(key) + " COLLATE BINARY")
                .collect(Collectors.joining(", ", "(", ")"));
        return " WHERE " + stored + " IN (SELECT " + Sql.quote(merge.keys()) + " FROM " + STAGING + " WHERE " + KNOWN
                + " IS NULL)";
    }

    /** Marks the staged rows whose keys are stored. */
    private long mark(Connection connection, int mark, String where) throws SQLException {
        // CROSS JOIN keeps the order: once through the table, each of its rows looked up by the staged keys; or the
        // other
        // way round where an index finds the stored one.
        String table = target.sql() + " AS t";
        String staging = STAGING + " AS s";
        String join = isIndexed() ? staging + " CROSS JOIN " + table : table + " CROSS JOIN " + staging;
        return Session.update(
                connection,
                "UPDATE " + STAGING + " SET " + KNOWN + " = " + mark + " WHERE " + ROW + " IN (SELECT s." + ROW
                        + " FROM " + join + " ON " + sameKey() + where + ")");
    }

    private String sameKey() {
        return merge.keys().stream()
                .map(key -> "s." + Sql.quote(key) + " = t." + Sql.quote(key) + " COLLATE BINARY")
                .collect(Collectors.joining(" AND "));
    }
}
