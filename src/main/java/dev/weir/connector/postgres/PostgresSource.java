package dev.weir.connector.postgres;

import dev.weir.connector.Entity;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.Snapshot;
import dev.weir.connector.Source;
import dev.weir.connector.SourceColumn;
import dev.weir.connector.TableName;
import dev.weir.fault.RunException;
import dev.weir.slicing.Sample;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.postgresql.jdbc.PgConnection;

/** Reads from one Postgres database; each snapshot has connections of its own while it is open. */
final class PostgresSource implements Source {

    /** It is no table, it is not there, or only some of its columns may be read: whoever asks next tells. */
    private static final Set<String> CANNOT_LOCK = Set.of("42809", "42P01", "42501", "3F000", "0A000");

    /**
     * Whether a table that this transaction holds is another than its snapshot sees: made since, or written anew. Rows of it
     * would be missing. Source: PostgreSQL manual, "Caveats" of concurrency control.
     */
    private static final String REWRITTEN = "SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_locks l"
            + " LEFT JOIN pg_catalog.pg_class c ON c.oid = l.relation"
            + " WHERE l.pid = pg_catalog.pg_backend_pid() AND l.locktype = 'relation' AND l.database ="
            + " (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database())"
            + " AND (c.oid IS NULL OR c.relkind = 'r' AND c.relfilenode <> 0"
            + " AND pg_catalog.pg_relation_filenode(c.oid) IS DISTINCT FROM c.relfilenode))";

    private final Address address;
    private final Streams streams;
    private final Sessions sessions;
    private final Set<TableName> unlockable = new HashSet<>();

    /** @param streams over how many connections a slice of a table is read */
    PostgresSource(Address address, Streams streams) {
        this.address = address;
        this.streams = streams;
        this.sessions = new Sessions(address);
    }

    @Override
    public List<SourceColumn> describe(Entity entity) {
        String place = place(entity);
        Session session = sessions.take();
        try {
            session.begin(place, Session.Mode.LOOK);
            return session.run(place, connection -> columns(connection, session.failures(), place, entity)).stream()
                    .map(PostgresSource::described)
                    .toList();
        } finally {
            sessions.giveBack(session);
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
        Session session = sessions.take();
        try {
            session.begin(place, Session.Mode.LOOK);
            return session.run(place, OpenTransactions::clock);
        } finally {
            sessions.giveBack(session);
        }
    }

    @Override
    public Snapshot open(ReadRequest request) {
        String place = place(request.entity());
        Session session = sessions.take();
        try {
            ReadPlan plan = begin(session, place, request);
            // The rows of a query may be others each time it is asked.
            Streams several = request.entity() instanceof Entity.Table ? streams : Streams.ONE;
            return new PostgresSnapshot(session, place, plan, sessions, several);
        } catch (RuntimeException e) {
            sessions.giveBack(session);
            throw e;
        }
    }

    /** Begins again for as long as somebody else has rewritten a table between the snapshot and the lock on it. */
    private ReadPlan begin(Session session, String place, ReadRequest request) {
        while (true) {
            session.begin(place, Session.Mode.SNAPSHOT);
            boolean held = hold(session, place, request.entity());
            ReadPlan plan =
                    session.run(place, connection -> ReadPlan.of(connection, session.failures(), place, request));
            if (held || session.run(place, connection -> seesWhatItLocks(connection, plan))) {
                return plan;
            }
            session.rollback();
        }
    }

    /**
     * Keeps the table from being altered, before anything is asked: what has been done to it by then is in the snapshot,
     * which begins with the first question.
     *
     * @return false: it cannot be locked so
     */
    private boolean hold(Session session, String place, Entity entity) {
        if (!(entity instanceof Entity.Table named) || unlockable.contains(named.table())) {
            return false;
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
        return held;
    }

    /** A SELECT of no rows locks whatever the read will. */
    private static boolean seesWhatItLocks(PgConnection connection, ReadPlan plan) throws SQLException {
        Session.execute(connection, plan.select(Optional.empty()) + " LIMIT 0");
        return !Session.truth(connection, REWRITTEN);
    }

    @Override
    public Sample sample(ReadRequest request) {
        String place = place(request.entity());
        Session session = sessions.take();
        try {
            session.refresh(place);
            return new OpenTransactions(session, place).sample(request);
        } finally {
            sessions.giveBack(session);
        }
    }

    @Override
    public Sample.OfNumbers sampleAgain(Sample.OfNumbers earlier) {
        Session session = sessions.take();
        try {
            session.refresh(address.connection());
            return new OpenTransactions(session, address.connection()).again(earlier);
        } finally {
            sessions.giveBack(session);
        }
    }

    private String place(Entity entity) {
        return address.connection() + "." + entity.name();
    }

    @Override
    public void cancel() {
        sessions.cancel();
    }

    @Override
    public void close() {
        sessions.close();
    }
}
