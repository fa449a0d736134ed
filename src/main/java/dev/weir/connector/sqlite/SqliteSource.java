package dev.weir.connector.sqlite;

import dev.weir.connector.Entity;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.Snapshot;
import dev.weir.connector.Source;
import dev.weir.connector.SourceColumn;
import dev.weir.connector.jdbc.DuckType;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.Sample;
import java.time.Clock;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Reads a SQLite file; each snapshot has a connection of its own while it is open. */
final class SqliteSource implements Source {

    /** CURRENT_TIMESTAMP and most programs write whole seconds, and nothing says so: a second counts once it has ended. */
    private static final int SPELLED_DIGITS = 0;

    private final SqliteFile file;
    private final Clock clock;
    private final Set<Session> all = ConcurrentHashMap.newKeySet();
    private final Set<Checked> checked = new HashSet<>();
    private volatile boolean cancelled;

    /** A cursor whose values have all been looked at, once an invocation. */
    private record Checked(Entity entity, Cursor cursor) {}

    SqliteSource(SqliteFile file, Clock clock) {
        this.file = file;
        this.clock = clock;
    }

    @Override
    public List<SourceColumn> describe(Entity entity) {
        String place = place(entity);
        Session session = take();
        try {
            session.beginReading(place);
            return session
                    .run(place, connection -> ReadPlan.Found.of(connection, session.failures(), place, entity))
                    .columns()
                    .stream()
                    .map(SqliteSource::described)
                    .toList();
        } finally {
            giveBack(session);
        }
    }

    static SourceColumn described(Catalog.Column column) {
        DeclaredType type = column.type();
        return new SourceColumn(
                column.name(), type.toString(), type.natural().map(DuckType::sql), SPELLED_DIGITS, type.notice(), true);
    }

    @Override
    public Instant clock() {
        return clock.instant();
    }

    @Override
    public Snapshot open(ReadRequest request) {
        String place = place(request.entity());
        Session session = take();
        try {
            session.beginReading(place);
            ReadPlan plan =
                    session.run(place, connection -> ReadPlan.of(connection, session.failures(), place, request));
            SqliteSnapshot snapshot = new SqliteSnapshot(session, place, plan, this::giveBack);
            if (request.cursor().isPresent()) {
                Cursor cursor = request.cursor().get();
                session.act(
                        place,
                        connection -> CursorFunction.register(
                                connection, plan.needCursor().units()));
                if (!checked.contains(new Checked(request.entity(), cursor))) {
                    snapshot.checkCursors();
                    checked.add(new Checked(request.entity(), cursor));
                }
            }
            return snapshot;
        } catch (RuntimeException e) {
            giveBack(session);
            throw e;
        }
    }

    private String place(Entity entity) {
        return file.name() + "." + entity.name();
    }

    private Session take() {
        Session session = new Session(file, false);
        all.add(session);
        if (cancelled) {
            session.cancel();
        }
        return session;
    }

    /** Not kept: the file may have been replaced by another before the next slice. */
    private void giveBack(Session session) {
        session.close();
        all.remove(session);
    }

    /**
     * One transaction writes at a time, so that numbers are committed in the order they are given out. Two may write the
     * same time, and the second one long after it.
     */
    @Override
    public Sample sample(ReadRequest request) {
        boolean isTime = request.cursor().orElseThrow().type().isTime();
        return isTime ? new Sample.Untold("SQLite does not tell whether somebody is writing") : new Sample.InOrder();
    }

    @Override
    public void cancel() {
        cancelled = true;
        all.forEach(Session::cancel);
    }

    @Override
    public void close() {
        all.forEach(Session::close);
        all.clear();
    }
}
