package dev.weir.connector.postgres;

import dev.weir.connector.RawRows;
import dev.weir.connector.SliceRead;
import dev.weir.connector.Snapshot;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorValue;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** One REPEATABLE READ READ ONLY transaction, in which everything of a slice is asked. */
final class PostgresSnapshot implements Snapshot {

    private static final int NUMERIC_INFINITY_SINCE = 140_000;

    private final Session session;
    private final String place;
    private final ReadPlan plan;
    private final CursorProbe probe;
    private final Sessions sessions;
    private final Streams streams;
    private @Nullable CopyRead read;
    private @Nullable ParallelCopy parallel;
    private boolean closed;

    /**
     * @param sessions where the session is given back, and others are taken from
     * @param streams over how many of them a slice is read
     */
    PostgresSnapshot(Session session, String place, ReadPlan plan, Sessions sessions, Streams streams) {
        this.session = session;
        this.place = place;
        this.plan = plan;
        this.probe = new CursorProbe(session, place, plan);
        this.sessions = sessions;
        this.streams = streams;
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
        prepare(range);
        List<CursorRange> parts = range.map(this::parts).orElse(List.of());
        if (parts.size() > 1) {
            Optional<ParallelCopy> several = ParallelCopy.of(session, sessions, place, plan, parts);
            if (several.isPresent()) {
                parallel = several.get();
                return parallel.read();
            }
        }
        CopyRead started = CopyRead.start(session, place, plan, range, "the slice");
        read = started;
        return started;
    }

    /** What each connection reads of a range: one that no index leads to is looked through once, not once for each. */
    private List<CursorRange> parts(CursorRange range) {
        int many = session.run(place, connection -> streams.worth(connection, plan, range));
        if (many == 1 || !isIndexed(range).orElse(false)) {
            return List.of(range);
        }
        Optional<CursorValue> lowest = probe.lowest(range);
        Optional<CursorValue> highest = probe.highest(range);
        return lowest.isPresent() && highest.isPresent()
                ? range.parted(lowest.get(), highest.get(), many)
                : List.of(range);
    }

    @Override
    public Optional<RawRows> readRaw(CursorRange range, Path folder, LongConsumer progress) {
        Optional<CursorDecoder> cursor = plan.raw() ? CursorDecoder.of(plan.needCursor()) : Optional.empty();
        if (cursor.isEmpty()) {
            return Optional.empty();
        }
        prepare(Optional.of(range));
        CopyFrames.Pieces sent = CopyRead.sent(session, place, plan, Optional.of(range));
        try {
            return Optional.of(new RawRead(session, place, plan, cursor.get(), folder).all(sent, progress));
        } catch (RuntimeException e) {
            session.abandon();
            throw e;
        }
    }

    private void prepare(Optional<CursorRange> range) {
        if (!isUsedUp()) {
            throw new IllegalStateException("the read before is not used up");
        }
        endParallel();
        if (range.isPresent()) {
            probe.checkFit();
        }
    }

    private boolean isUsedUp() {
        return (read == null || read.isComplete()) && (parallel == null || parallel.isComplete());
    }

    private void endParallel() {
        if (parallel != null) {
            parallel.close();
            parallel = null;
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        endParallel();
        if (read != null && !read.isComplete()) {
            session.abandon();
        }
        sessions.giveBack(session);
    }
}
