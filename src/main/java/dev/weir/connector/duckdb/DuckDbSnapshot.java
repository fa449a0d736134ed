package dev.weir.connector.duckdb;

import dev.weir.connector.DuckCursor;
import dev.weir.connector.SliceRead;
import dev.weir.connector.Snapshot;
import dev.weir.fault.Code;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorValue;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * One transaction on a connection of its own. It reads the file and writes the staged table beside it, so it ends with a
 * COMMIT: only then do other connections see what was staged.
 */
final class DuckDbSnapshot implements Snapshot {

    private boolean handedOut;
    private final DuckSql sql;
    private final Connection connection;
    private final String place;
    private final String relation;
    private final ReadPlan plan;
    private final DuckSql.Registration cancelled;

    /** @param cancelled closed with the snapshot: what makes a cancel end the making of the staged table */
    DuckDbSnapshot(
            DuckSql sql,
            Connection connection,
            String place,
            String relation,
            ReadPlan plan,
            DuckSql.Registration cancelled) {
        this.sql = sql;
        this.connection = connection;
        this.place = place;
        this.relation = relation;
        this.plan = plan;
        this.cancelled = cancelled;
    }

    private ReadPlan.CursorColumn cursor() {
        return plan.cursor().orElseThrow(() -> new IllegalStateException("a full read has no cursor"));
    }

    @Override
    public Optional<CursorValue> lowest(CursorRange range) {
        ReadPlan.CursorColumn cursor = cursor();
        String min = DuckCursor.units("min(" + cursor.expression() + ")", cursor.columnType(), cursor.type());
        try {
            return sql.query(
                            connection,
                            "SELECT " + min + " FROM " + relation + " WHERE "
                                    + cursor.filter().in(range),
                            row -> DuckCursor.value(row.getString(1), cursor.columnType(), cursor.type()))
                    .get(0);
        } catch (SQLException e) {
            throw DuckSql.failure(Code.SOURCE, place, e);
        }
    }

    @Override
    public long count(CursorRange range, long limit) {
        return count(cursor().filter().in(range), limit);
    }

    @Override
    public long countNull(long limit) {
        return count(cursor().filter().isNull(), limit);
    }

    @Override
    public long countInfinite(long limit) {
        return cursor().filter()
                .isInfinite()
                .map(condition -> count(condition, limit))
                .orElse(0L);
    }

    private long count(String condition, long limit) {
        try {
            return sql.count(
                    connection,
                    "SELECT count(*) FROM (SELECT 1 FROM " + relation + " WHERE " + condition + " LIMIT " + limit
                            + ")");
        } catch (SQLException e) {
            throw DuckSql.failure(Code.SOURCE, place, e);
        }
    }

    /** DuckDB keeps the least and greatest value of each row group, and skips those that lie outside. */
    @Override
    public Optional<Boolean> isIndexed(CursorRange range) {
        return Optional.empty();
    }

    @Override
    public SliceRead read(Optional<CursorRange> range) {
        String where =
                range.map(cursors -> " WHERE " + cursor().filter().in(cursors)).orElse("");
        handedOut = true;
        return new SliceRead.DuckScan(connection, plan.selectFrom(relation) + where);
    }

    @Override
    public void close() {
        cancelled.close();
        try (connection) {
            DuckSql.execute(connection, "COMMIT");
        } catch (SQLException e) {
            if (handedOut) {
                // What was staged has gone with the transaction. After a failed read this is only suppressed.
                throw DuckSql.failure(Code.SOURCE, place, e);
            }
        }
    }
}
