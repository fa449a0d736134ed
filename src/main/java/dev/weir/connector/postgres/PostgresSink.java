package dev.weir.connector.postgres;

import dev.weir.connector.Column;
import dev.weir.connector.DuckSession;
import dev.weir.connector.Fit;
import dev.weir.connector.Sink;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.SourceColumn;
import dev.weir.connector.TableName;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.fault.UnknownOutcomeException;
import dev.weir.slicing.ChunkKey;
import dev.weir.slicing.ChunkMark;
import dev.weir.slicing.Mark;
import dev.weir.slicing.OnSchemaChange;
import dev.weir.slicing.PlanKey;
import dev.weir.slicing.PositionKey;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.postgresql.jdbc.PgConnection;

/** Writes into one Postgres database, over one connection. */
final class PostgresSink implements Sink {

    private final Address address;
    private final DuckSession duck;
    private final Session main;
    private final Set<Session> all = ConcurrentHashMap.newKeySet();
    private volatile boolean cancelled;
    private boolean writing;

    PostgresSink(Address address, DuckSession duck) {
        this.address = address;
        this.duck = duck;
        this.main = session();
    }

    private Session session() {
        Session session = new Session(address, Code.SINK);
        all.add(session);
        if (cancelled) {
            session.cancel();
        }
        return session;
    }

    DuckSession duck() {
        return duck;
    }

    String connection() {
        return address.connection();
    }

    String place(TableName table) {
        return address.connection() + "." + table;
    }

    /** Looks at what has committed, in a transaction of its own; beside an open one, over a connection of its own too. */
    private <T> T look(String place, Session.Work<T> work) {
        if (writing) {
            Session beside = session();
            try {
                return look(beside, place, work);
            } finally {
                beside.close();
                all.remove(beside);
            }
        }
        return look(main, place, work);
    }

    private static <T> T look(Session session, String place, Session.Work<T> work) {
        session.begin(place, Session.Mode.LOOK);
        try {
            return session.run(place, work);
        } finally {
            session.rollback();
        }
    }

    @Override
    public Optional<List<Column>> describe(TableName table) {
        return look(place(table), connection -> {
            Optional<Target> target = Target.find(connection, table);
            return target.map(found -> found.columns().stream()
                    .map(column ->
                            new Column(column.name(), column.type().natural().sql()))
                    .toList());
        });
    }

    @Override
    public boolean hasRows(TableName table) {
        return look(place(table), connection -> holdsRows(connection, table));
    }

    static boolean holdsRows(PgConnection connection, TableName table) throws SQLException {
        return Session.truth(connection, "SELECT EXISTS (SELECT 1 FROM " + Sql.quote(table) + ")");
    }

    @Override
    public Fit fit(TableName table, List<Column> columns, SinkWrite write, OnSchemaChange policy) {
        String place = place(table);
        Target target = look(place, connection -> {
            Optional<Target> found = Target.find(connection, table);
            if (found.isEmpty()) {
                throw Catalog.missing(connection, main.failures(), place, table);
            }
            checkMayWrite(connection, place, found.get(), write);
            return found.get();
        });
        return target.fit(place, columns, write, policy);
    }

    @Override
    public boolean takesRaw(TableName table, Map<String, SourceColumn> columns) {
        Optional<Target> target = look(place(table), connection -> Target.find(connection, table));
        return columns.entrySet().stream()
                .allMatch(column -> RawTypes.likely(
                        column.getValue(),
                        target.flatMap(found -> found.column(column.getKey()))
                                .map(stored -> stored.type().written())));
    }

    @Override
    public void alter(TableName table, Fit fit) {
        String place = place(table);
        main.begin(place, Session.Mode.WRITE);
        try {
            main.run(place, connection -> {
                // Who waits for the table's lock keeps everybody else from it meanwhile.
                Session.execute(connection, "SET LOCAL lock_timeout = '10s'");
                Session.execute(connection, "LOCK TABLE " + Sql.quote(table) + " IN ACCESS EXCLUSIVE MODE");
                Target target = Target.find(connection, table)
                        .orElseThrow(() -> new SQLException("the table has just been dropped", "42P01"));
                String changes = changes(place, target, fit);
                if (!changes.isEmpty()) {
                    Session.execute(connection, "ALTER TABLE " + Sql.quote(table) + " " + changes);
                }
                return true;
            });
            main.commit(place);
        } catch (UnknownOutcomeException e) {
            // Done or not: to do it again is as to do it once.
            throw RunException.unreachable(e.fault(), e);
        } finally {
            main.rollback();
        }
    }

    /** What is still to be done to a table that nobody else can alter now. */
    private String changes(String place, Target target, Fit fit) {
        Stream<String> added = fit.added().stream()
                .map(column -> "ADD COLUMN IF NOT EXISTS "
                        + Sql.quote(SinkTypes.fitting(main.failures(), place, column.name())) + " "
                        + SinkTypes.created(place, column));
        Stream<String> widened = target.stillNarrow(place, fit).stream()
                .map(column ->
                        "ALTER COLUMN " + Sql.quote(column.name()) + " TYPE " + SinkTypes.created(place, column));
        return Stream.concat(added, widened).collect(Collectors.joining(", "));
    }

    private void checkMayWrite(PgConnection connection, String place, Target target, SinkWrite write)
            throws SQLException {
        if (Session.truth(
                connection,
                "SELECT pg_catalog.pg_is_in_recovery()"
                        + " OR pg_catalog.current_setting('default_transaction_read_only')::boolean")) {
            throw main.failures()
                    .of(
                            place,
                            "the server is read-only: a standby, or default_transaction_read_only is on for "
                                    + address.user(),
                            "write to the primary, or ALTER ROLE " + Sql.quote(address.user())
                                    + " SET default_transaction_read_only = off");
        }
        for (String privilege : needed(write)) {
            if (!hasPrivilege(connection, target, privilege)) {
                String name = Sql.quote(target.table().name());
                throw main.failures()
                        .of(
                                place,
                                address.user() + " may not " + privilege + " on "
                                        + target.table().name(),
                                "GRANT SELECT, INSERT, UPDATE, DELETE ON " + name + " TO " + Sql.quote(address.user()));
            }
        }
    }

    private static List<String> needed(SinkWrite write) {
        if (write instanceof SinkWrite.Merge) {
            return List.of("SELECT", "INSERT", "UPDATE");
        }
        if (write instanceof SinkWrite.Window) {
            return List.of("SELECT", "INSERT", "DELETE");
        }
        return write instanceof SinkWrite.Replace ? List.of("INSERT", "DELETE") : List.of("INSERT");
    }

    private static boolean hasPrivilege(PgConnection connection, Target target, String privilege) throws SQLException {
        return Session.truth(
                connection,
                "SELECT pg_catalog.has_table_privilege(" + target.table().oid() + "::oid, '" + privilege + "')");
    }

    @Override
    public Optional<Mark> mark(TableName table, PositionKey key) {
        return look(place(table), connection -> ledger(connection, table).newest(key));
    }

    @Override
    public List<Mark> marks(TableName table, PositionKey key) {
        return look(place(table), connection -> ledger(connection, table).all(key));
    }

    @Override
    public List<PositionKey> marked(TableName table, String sink) {
        return look(place(table), connection -> ledger(connection, table).marked(sink));
    }

    @Override
    public List<ChunkMark> chunks(TableName table, PlanKey plan) {
        return look(place(table), connection -> chunks(connection, table).ofPlan(plan));
    }

    @Override
    public List<ChunkMark> chunksOfOthers(TableName table, PlanKey plan) {
        return look(place(table), connection -> chunks(connection, table).ofOthers(plan));
    }

    @Override
    public List<ChunkMark> chunksOfAll(TableName table, String project, String pipeline, String sink) {
        return look(place(table), connection -> chunks(connection, table).ofAll(project, pipeline, sink));
    }

    @Override
    public Optional<ChunkMark> chunk(TableName table, ChunkKey key) {
        return look(place(table), connection -> chunks(connection, table).find(key));
    }

    Ledger ledger(PgConnection connection, TableName table) throws SQLException {
        return new Ledger(connection, place(table), schema(connection, table));
    }

    Chunks chunks(PgConnection connection, TableName table) throws SQLException {
        return new Chunks(connection, place(table), schema(connection, table));
    }

    /** The schema a table is in, or would be created in. */
    private static String schema(PgConnection connection, TableName table) throws SQLException {
        int size = table.parts().size();
        if (size > 1) {
            return table.parts().get(size - 2);
        }
        Optional<Catalog.Table> found = Catalog.find(connection, table);
        if (found.isPresent()) {
            return found.get().schema();
        }
        try (PreparedStatement statement = connection.prepareStatement("SELECT coalesce(current_schema(), 'public')");
                ResultSet result = statement.executeQuery()) {
            result.next();
            return result.getString(1);
        }
    }

    @Override
    public SinkTransaction begin() {
        if (writing) {
            throw new IllegalStateException("a transaction of this sink is open");
        }
        try {
            main.begin(connection(), Session.Mode.WRITE);
        } catch (RunException e) {
            main.rollback();
            throw e;
        }
        writing = true;
        return new PostgresTransaction(this, main);
    }

    /** A transaction has ended, or is to be rolled back. */
    void finished(Session session) {
        writing = false;
        session.rollback();
    }

    @Override
    public boolean hasCommitted(TableName table, PositionKey key, Mark moved) {
        return afresh(table, connection -> ledger(connection, table).holds(key, moved));
    }

    @Override
    public boolean hasCommitted(TableName table, ChunkKey key, String runId) {
        return afresh(table, connection -> chunks(connection, table).holds(key, runId));
    }

    /** A question that may wait for others, on a connection of its own: the one before may have broken. */
    private boolean afresh(TableName table, Session.Work<Boolean> question) {
        String place = place(table);
        Session fresh = session();
        try {
            fresh.begin(place, Session.Mode.WRITE);
            return fresh.run(place, question);
        } finally {
            fresh.rollback();
            fresh.close();
            all.remove(fresh);
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
    }
}
