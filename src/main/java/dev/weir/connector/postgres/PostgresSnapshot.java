package dev.weir.connector.postgres;

import dev.weir.connector.RawRows;
import dev.weir.connector.SliceRead;
import dev.weir.connector.Snapshot;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorValue;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyOut;

/** One REPEATABLE READ READ ONLY transaction, in which everything of a slice is asked. */
final class PostgresSnapshot implements Snapshot {

    private static final int NUMERIC_INFINITY_SINCE = 140_000;

    private final Session session;
    private final String place;
    private final ReadPlan plan;
    private final CursorProbe probe;
    private final Consumer<Session> afterwards;
    private @Nullable CopyRead read;
    private boolean closed;

    /** @param afterwards who takes the session when the snapshot is closed */
    PostgresSnapshot(Session session, String place, ReadPlan plan, Consumer<Session> afterwards) {
        this.session = session;
        this.place = place;
        this.plan = plan;
        this.probe = new CursorProbe(session, place, plan);
        this.afterwards = afterwards;
    }

    @Override
    public Optional<CursorValue> lowest(CursorRange range) {
        probe.checkFit();
        return probe.lowest(range);
    }

    @Override
    public long count(CursorRange range, long limit) {
        return count(plan.where(range), limit);
    }

    @Override
    public long countNull(long limit) {
        return count(plan.needCursor().quoted() + " IS NULL", limit);
    }

    @Override
    public long countInfinite(long limit) {
        ReadPlan.CursorColumn column = plan.needCursor();
        boolean infiniteNumerics =
                session.run(place, connection -> connection.haveMinimumServerVersion(NUMERIC_INFINITY_SINCE));
        String condition = CursorSql.infinite(
                column.quoted(), column.type().family(), column.cursor().type(), infiniteNumerics);
        return condition.equals("false") ? 0 : count(condition, limit);
    }

    private long count(String condition, long limit) {
        String sql = "SELECT count(*) FROM (SELECT 1 FROM " + plan.from() + " WHERE " + condition + " LIMIT " + limit
                + ") counted";
        return session.run(place, connection -> Session.number(connection, sql));
    }

    /** By the plan the server makes when it is kept from reading the whole table for want of rows. */
    @Override
    public Optional<Boolean> isIndexed(CursorRange range) {
        ReadPlan.CursorColumn column = plan.needCursor();
        String sql = "SELECT min(" + column.quoted() + ") FROM " + plan.from() + " WHERE " + plan.where(range);
        return session.run(place, connection -> {
            boolean scans = false;
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET LOCAL enable_seqscan = off");
                try (ResultSet lines = statement.executeQuery("EXPLAIN " + sql)) {
                    while (lines.next()) {
                        scans |= lines.getString(1).contains("Seq Scan on");
                    }
                }
                statement.execute("SET LOCAL enable_seqscan TO DEFAULT");
            }
            return Optional.of(!scans);
        });
    }

    @Override
    public SliceRead read(Optional<CursorRange> range) {
        CopyOut copy = copy(range);
        int cursorColumn = plan.cursor() == null ? -1 : plan.needCursor().place();
        CopyRead started = new CopyRead(session, place, plan.columns(), cursorColumn, copy);
        read = started;
        return started;
    }

    @Override
    public Optional<RawRows> readRaw(CursorRange range, Path folder, LongConsumer progress) {
        Optional<CursorDecoder> cursor = plan.raw() ? CursorDecoder.of(plan.needCursor()) : Optional.empty();
        if (cursor.isEmpty()) {
            return Optional.empty();
        }
        CopyOut copy = copy(Optional.of(range));
        try {
            return Optional.of(new RawRead(session, place, plan, cursor.get(), folder).all(copy, progress));
        } catch (RuntimeException e) {
            session.abandon();
            throw e;
        }
    }

    private CopyOut copy(Optional<CursorRange> range) {
        if (read != null && !read.isComplete()) {
            throw new IllegalStateException("the read before is not used up");
        }
        if (range.isPresent()) {
            probe.checkFit();
        }
        String sql = "COPY (" + plan.select(range) + ") TO STDOUT (FORMAT binary)";
        return session.run(place, connection -> connection.getCopyAPI().copyOut(sql));
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (read != null && !read.isComplete()) {
            session.abandon();
        }
        afterwards.accept(session);
    }
}
