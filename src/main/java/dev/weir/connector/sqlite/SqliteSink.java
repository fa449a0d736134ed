package dev.weir.connector.sqlite;

import dev.weir.slicing.OnSchemaChange;
import dev.weir.connector.Column;
import dev.weir.connector.Fit;
import dev.weir.connector.DuckSession;
import dev.weir.connector.Sink;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.TableName;
import dev.weir.connector.jdbc.DuckType;
import dev.weir.slicing.ChunkKey;
import dev.weir.slicing.ChunkMark;
import dev.weir.slicing.Mark;
import dev.weir.slicing.PlanKey;
import dev.weir.slicing.PositionKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Writes a SQLite file. Looking at it creates nothing; the first transaction does.
 *
 * <p>What has committed is looked at over one connection, written over another, since a connection sees its own transaction.
 */
final class SqliteSink implements Sink {

    private final SqliteFile file;
    private final DuckSession duck;
    private final Session looking;
    private final Session writing;
    private final Set<Session> all = ConcurrentHashMap.newKeySet();
    private final Set<Keyed> merged = new HashSet<>();
    private volatile boolean cancelled;
    private boolean open;

    private record Keyed(TableName table, List<String> keys) {}

    SqliteSink(SqliteFile file, DuckSession duck) {
        this.file = file;
        this.duck = duck;
        this.looking = session(false);
        this.writing = session(true);
    }

    private Session session(boolean creating) {
        Session session = new Session(file, creating);
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
        return file.name();
    }

    String place(TableName table) {
        return file.name() + "." + table;
    }

    private <T> T look(TableName table, T withoutFile, Session.Work<T> work) {
        if (!file.exists()) {
            return withoutFile;
        }
        String place = place(table);
        try {
            looking.beginReading(place);
            return looking.run(place, work);
        } finally {
            looking.rollback();
        }
    }

    @Override
    public Optional<List<Column>> describe(TableName table) {
        return look(table, Optional.empty(), connection -> {
            Optional<Catalog.Table> found = Catalog.find(connection, table);
            if (found.isEmpty()) {
                refuseOtherCase(connection, table);
            }
            return found.map(there -> there.columns().stream()
                    .map(column -> new Column(column.name(), type(column.type())))
                    .toList());
        });
    }

    private static String type(DeclaredType type) {
        return type.natural().map(DuckType::sql).orElse(type.toString());
    }

    private void refuseOtherCase(Connection connection, TableName table) throws SQLException {
        Optional<String> other = Catalog.otherCase(connection, table);
        if (other.isPresent()) {
            throw looking.failures()
                    .of(
                            place(table),
                            "there is no " + table + ", but " + other.get() + ", which SQLite takes for the same name",
                            "spell it as the file does");
        }
    }

    @Override
    public boolean hasRows(TableName table) {
        return look(table, false, connection -> holdsRows(connection, table));
    }

    static boolean holdsRows(Connection connection, TableName table) throws SQLException {
        return Session.number(connection, "SELECT EXISTS (SELECT 1 FROM " + Sql.quote(table) + ")") > 0;
    }

    @Override
    public Fit fit(TableName table, List<Column> columns, SinkWrite write, OnSchemaChange policy) {
        Optional<Target> target = look(table, Optional.empty(), connection -> {
            Optional<Target> found = Target.find(connection, table);
            if (found.isEmpty()) {
                throw Catalog.missing(connection, looking.failures(), place(table), table);
            }
            return found;
        });
        return target.orElseThrow(() -> looking.failures().missingFile(place(table)))
                .fit(place(table), columns, write, policy);
    }

    @Override
    public void alter(TableName table, Fit fit) {
        String place = place(table);
        try (SinkTransaction transaction = begin()) {
            writing.act(place, connection -> {
                Catalog.Table there = Catalog.find(connection, table).orElseThrow();
                for (Column column : fit.added()) {
                    boolean isThere = there.columns().stream()
                            .anyMatch(known -> known.name().equals(column.name()));
                    if (!isThere) {
                        Session.execute(
                                connection,
                                "ALTER TABLE " + Sql.quote(table) + " ADD COLUMN " + Sql.quote(column.name()) + " "
                                        + SinkTypes.created(place, column));
                    }
                }
            });
            transaction.commit();
        }
    }

    @Override
    public Optional<Mark> mark(TableName table, PositionKey key) {
        return look(table, Optional.empty(), connection -> new Ledger(connection, place(table)).newest(key));
    }

    @Override
    public List<PositionKey> marked(TableName table, String sink) {
        return look(table, List.of(), connection -> new Ledger(connection, place(table)).marked(sink));
    }

    @Override
    public List<Mark> marks(TableName table, PositionKey key) {
        return look(table, List.of(), connection -> new Ledger(connection, place(table)).all(key));
    }

    @Override
    public List<ChunkMark> chunks(TableName table, PlanKey plan) {
        return look(table, List.of(), connection -> new Chunks(connection, place(table)).ofPlan(plan));
    }

    @Override
    public List<ChunkMark> chunksOfOthers(TableName table, PlanKey plan) {
        return look(table, List.of(), connection -> new Chunks(connection, place(table)).ofOthers(plan));
    }

    @Override
    public List<ChunkMark> chunksOfAll(TableName table, String project, String pipeline, String sink) {
        return look(
                table, List.of(), connection -> new Chunks(connection, place(table)).ofAll(project, pipeline, sink));
    }

    @Override
    public Optional<ChunkMark> chunk(TableName table, ChunkKey key) {
        return look(table, Optional.empty(), connection -> new Chunks(connection, place(table)).find(key));
    }

    @Override
    public SinkTransaction begin() {
        if (open) {
            throw new IllegalStateException("a transaction of this sink is open");
        }
        writing.beginWriting(file.name());
        open = true;
        return new SqliteTransaction(this, writing);
    }

    /** Looks at the stored keys of a table unless that was done and passed: once an invocation. */
    void onceForKeys(TableName table, List<String> keys, Runnable look) {
        Keyed keyed = new Keyed(table, keys);
        if (!merged.contains(keyed)) {
            look.run();
            merged.add(keyed);
        }
    }

    /** A transaction has ended, or is to be rolled back. */
    void finished(Session session) {
        open = false;
        session.rollback();
    }

    @Override
    public boolean hasCommitted(TableName table, PositionKey key, Mark moved) {
        return onceNobodyWrites(table, connection -> new Ledger(connection, place(table)).holds(key, moved));
    }

    @Override
    public boolean hasCommitted(TableName table, ChunkKey key, String runId) {
        return onceNobodyWrites(table, connection -> new Chunks(connection, place(table)).holds(key, runId));
    }

    /** No other transaction is writing while this one asks: what was to be committed is there, or never will be. */
    private boolean onceNobodyWrites(TableName table, Session.Work<Boolean> question) {
        if (!file.exists()) {
            return false;
        }
        String place = place(table);
        Session fresh = session(false);
        try {
            fresh.beginWriting(place);
            return fresh.run(place, question);
        } finally {
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
