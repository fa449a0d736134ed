package dev.weir.connector.postgres;

import dev.weir.connector.Entity;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.Snapshot;
import dev.weir.connector.Source;
import dev.weir.connector.SourceColumn;
import dev.weir.connector.TableName;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.slicing.Sample;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.postgresql.jdbc.PgConnection;

/** Reads from one Postgres database; each snapshot has a connection of its own while it is open. */
final class PostgresSource implements Source {

    /** It is no table, it is not there, or only some of its columns may be read: whoever asks next tells. */
    private static final Set<String> CANNOT_LOCK = Set.of("42809", "42P01", "42501", "3F000", "0A000");

    private final Address address;
    private final Deque<Session> idle = new ArrayDeque<>();
    private final Set<Session> all = ConcurrentHashMap.newKeySet();
    private final Set<TableName> unlockable = new HashSet<>();
    private volatile boolean cancelled;

    PostgresSource(Address address) {
        this.address = address;
    }

    @Override
    public List<SourceColumn> describe(Entity entity) {
        String place = place(entity);
        Session session = take();
        try {
            session.begin(place, Session.Mode.LOOK);
            return session.run(place, connection -> columns(connection, session.failures(), place, entity)).stream()
                    .map(PostgresSource::described)
                    .toList();
        } finally {
            giveBack(session);
        }
    }

    static SourceColumn described(Catalog.Column column) {
        PgType type = column.type();
        return new SourceColumn(
                column.name(),
                type.written(),
                Optional.of(type.natural().sql()),
                type.fractionDigits(),
                type.notice(),
                type.isUnbounded());
    }

    static List<Catalog.Column> columns(PgConnection connection, Failures failures, String place, Entity entity)
            throws SQLException {
        if (entity instanceof Entity.Query query) {
            return Catalog.columns(connection, query.sql());
        }
        Catalog.Table table = table(connection, failures, place, (Entity.Table) entity);
        return Catalog.columns(connection, table);
    }

    /** The table of an entity, which is there and may be read. */
    static Catalog.Table table(PgConnection connection, Failures failures, String place, Entity.Table named)
            throws SQLException {
        Catalog.Table table =
                Catalog.find(connection, named.table()).orElseThrow(() -> missing(connection, failures, place, named));
        if (!Session.truth(
                connection, "SELECT pg_catalog.has_any_column_privilege(" + table.oid() + "::oid, 'SELECT')")) {
            throw failures.of(
                    place,
                    failures.user() + " may not read " + table.name(),
                    "GRANT SELECT ON " + Sql.quote(table.name()) + " TO " + Sql.quote(failures.user()));
        }
        return table;
    }

    private static RunException missing(PgConnection connection, Failures failures, String place, Entity.Table entity) {
        try {
            return Catalog.missing(connection, failures, place, entity.table());
        } catch (SQLException e) {
            return failures.of(place, e);
        }
    }

    @Override
    public Instant clock() {
        String place = address.connection();
        Session session = take();
        try {
            session.begin(place, Session.Mode.LOOK);
            return session.run(place, OpenTransactions::clock);
        } finally {
            giveBack(session);
        }
    }

    @Override
    public Snapshot open(ReadRequest request) {
        String place = place(request.entity());
        Session session = take();
        try {
            session.begin(place, Session.Mode.SNAPSHOT);
            hold(session, place, request.entity());
            ReadPlan plan =
                    session.run(place, connection -> ReadPlan.of(connection, session.failures(), place, request));
            return new PostgresSnapshot(session, place, plan, this::giveBack);
        } catch (RuntimeException e) {
            giveBack(session);
            throw e;
        }
    }

    /**
     * Keeps the table from being altered, before anything is asked: one that is rewritten behind a snapshot that has not
     * read of it yet is empty to the snapshot. Source: PostgreSQL manual, "Caveats" of concurrency control.
     */
    private void hold(Session session, String place, Entity entity) {
        if (!(entity instanceof Entity.Table named) || unlockable.contains(named.table())) {
            return;
        }
        boolean held = session.run(place, connection -> {
            try {
                Session.execute(connection, "LOCK TABLE " + Sql.quote(named.table()) + " IN ACCESS SHARE MODE");
                return true;
            } catch (SQLException e) {
                if (CANNOT_LOCK.contains(String.valueOf(e.getSQLState()))) {
                    return false;
                }
                throw e;
            }
        });
        if (!held) {
            unlockable.add(named.table());
            session.rollback();
            session.begin(place, Session.Mode.SNAPSHOT);
        }
    }

    @Override
    public Sample sample(ReadRequest request) {
        String place = place(request.entity());
        Session session = take();
        try {
            session.refresh(place);
            return new OpenTransactions(session, place).sample(request);
        } finally {
            giveBack(session);
        }
    }

    @Override
    public Sample.OfNumbers sampleAgain(Sample.OfNumbers earlier) {
        Session session = take();
        try {
            session.refresh(address.connection());
            return new OpenTransactions(session, address.connection()).again(earlier);
        } finally {
            giveBack(session);
        }
    }

    private String place(Entity entity) {
        return address.connection() + "." + entity.name();
    }

    private Session take() {
        Session session = idle.isEmpty() ? new Session(address.reading(), Code.SOURCE) : idle.pop();
        all.add(session);
        if (cancelled) {
            session.cancel();
        }
        return session;
    }

    private void giveBack(Session session) {
        session.rollback();
        if (session.isUsable()) {
            idle.push(session);
        } else {
            session.close();
            all.remove(session);
        }
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
        idle.clear();
    }
}
