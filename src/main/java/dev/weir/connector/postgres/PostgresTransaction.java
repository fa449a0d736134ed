package dev.weir.connector.postgres;

import dev.weir.connector.Column;
import dev.weir.connector.RawRefusedException;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.Staged;
import dev.weir.connector.TableName;
import dev.weir.connector.jdbc.Steps;
import dev.weir.connector.postgres.PgType.Family;
import dev.weir.fault.RunException;
import dev.weir.slicing.ChunkMark;
import dev.weir.slicing.Mark;
import dev.weir.slicing.OnSchemaChange;
import dev.weir.slicing.PositionKey;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.postgresql.core.TransactionState;
import org.postgresql.jdbc.PgConnection;

/**
 * Rows and marks in one READ COMMITTED transaction.
 *
 * <p>READ COMMITTED, since each step that depends on what others did takes a lock first and looks afterwards, which a
 * snapshot taken at the beginning would not show.
 */
final class PostgresTransaction implements SinkTransaction {

    private final PostgresSink sink;
    private final Session session;
    private final Set<String> filled = new HashSet<>();
    private final Steps steps = new Steps();

    PostgresTransaction(PostgresSink sink, Session session) {
        this.sink = sink;
        this.session = session;
    }

    @Override
    public void create(TableName table, List<Column> columns, List<String> keys) {
        steps.step(() -> createTable(table, columns, keys));
    }

    private boolean createTable(TableName table, List<Column> columns, List<String> keys) {
        String place = sink.place(table);
        String list = columns.stream()
                .map(column -> Sql.quote(fitting(place, column.name())) + " " + SinkTypes.created(place, column))
                .collect(Collectors.joining(", "));
        table.parts().forEach(part -> fitting(place, part));
        String key = keys.isEmpty() ? "" : ", PRIMARY KEY (" + Sql.quote(keys) + ")";
        return session.run(place, connection -> {
            Session.execute(connection, "CREATE TABLE " + Sql.quote(table) + " (" + list + key + ")");
            return true;
        });
    }

    private String fitting(String place, String name) {
        return SinkTypes.fitting(session.failures(), place, name);
    }

    @Override
    public Written write(TableName table, Staged rows, SinkWrite how) {
        return steps.step(() -> rows.raw().isPresent() ? writeRaw(table, rows, how) : writeRows(table, rows, how));
    }

    /** Whatever is wrong with rows that come raw is told by those that are decoded. */
    private Written writeRaw(TableName table, Staged rows, SinkWrite how) {
        try {
            return writeRows(table, rows, how);
        } catch (RunException e) {
            if (e.isRetryable()) {
                throw e;
            }
            throw new RawRefusedException(e);
        }
    }

    private Written writeRows(TableName table, Staged rows, SinkWrite how) {
        String place = sink.place(table);
        Target target = target(place, table);
        target.fit(place, rows.columns(), how, OnSchemaChange.FAIL);
        if (how instanceof SinkWrite.Merge merge) {
            return rows.rows() == 0 ? new Written(0, 0) : merge(place, target, rows, merge);
        }
        if (!session.run(place, connection -> makeRoom(connection, target, how))) {
            throw notDeleted(place);
        }
        if (rows.rows() > 0) {
            insert(place, target, rows);
        }
        return new Written(rows.rows(), 0);
    }

    private Target target(String place, TableName table) {
        return session.run(place, connection -> Target.find(connection, table)).orElseThrow(() -> session.failures()
                .of(place, "there is no table " + table, "it was dropped while this run was at work; run again"));
    }

    @Override
    public Written delete(TableName table, Staged gone, SinkWrite.Merge how) {
        return steps.step(() -> deleteRows(table, gone, how));
    }

    private Written deleteRows(TableName table, Staged gone, SinkWrite.Merge how) {
        String place = sink.place(table);
        Target target = target(place, table);
        target.check(place, gone.columns());
        if (gone.rows() == 0) {
            return Written.NOTHING;
        }
        MergeSql sql = staged(place, target, gone, how);
        session.run(place, connection -> analyzed(connection, sql));
        long deleted = session.run(place, connection -> Session.update(connection, sql.delete()));
        if (session.run(place, connection -> Session.number(connection, sql.countKept())) > 0) {
            throw notDeleted(place);
        }
        return new Written(0, session.run(place, connection -> Session.number(connection, sql.countNewer())), deleted);
    }

    private RunException notDeleted(String place) {
        return dropped(place, "rows that were to be deleted are still in the table");
    }

    private void insert(String place, Target target, Staged rows) {
        CastColumns casts = new CastColumns(target, rows.columns());
        if (casts.isEmpty()) {
            copy(place, casts, rows, target.sql(), List.of());
            return;
        }
        String temp = tempTable(place, casts);
        copy(place, casts, rows, temp, List.of());
        casts.check(session, place, temp, List.of());
        String sql = MergeSql.insertAll(target, names(rows), casts.castFrom(temp));
        long taken = session.run(place, connection -> Session.update(connection, sql));
        if (taken != rows.rows()) {
            throw dropped(place, taken + " of " + rows.rows() + " rows were taken by the table");
        }
    }

    private static List<String> names(Staged rows) {
        return rows.columns().stream().map(Column::name).toList();
    }

    /** Whether what was to be deleted is gone; a trigger may keep it. */
    private static boolean makeRoom(PgConnection connection, Target target, SinkWrite how) throws SQLException {
        String where;
        if (how instanceof SinkWrite.Replace) {
            where = "true";
        } else if (how instanceof SinkWrite.Window window) {
            Family family = target.column(window.cursor()).orElseThrow().type().family();
            where = CursorSql.within(Sql.quote(window.cursor()), family, window.range());
        } else {
            return true;
        }
        // DELETE, not TRUNCATE: who reads the table meanwhile is neither stopped nor shown an empty one.
        Session.execute(connection, "DELETE FROM " + target.sql() + " WHERE " + where);
        return Session.number(connection, MergeSql.countKept(target, where)) == 0;
    }

    private RunException dropped(String place, String what) {
        return session.failures()
                .of(place, what, "a trigger or a rule that drops rows? weir cannot vouch for what it is not told");
    }

    private void copy(String place, CastColumns casts, Staged rows, String into, List<String> named) {
        StagedCopy copy = new StagedCopy(sink.duck(), session, place);
        String columns = into + " (" + Sql.quote(names(rows)) + ")";
        if (rows.raw().isPresent()) {
            copy.copy(RawCopy.of(rows, rows.raw().get(), casts.typesBefore()), rows.rows(), columns);
        } else {
            copy.copy(rows, columns, casts.typesBefore(), named);
        }
    }

    private Written merge(String place, Target target, Staged rows, SinkWrite.Merge merge) {
        MergeSql sql = staged(place, target, rows, merge);
        Written written = session.run(
                place,
                connection -> sql.hasUniqueIndex()
                        ? upsert(place, connection, sql, rows)
                        : updateAndInsert(place, connection, sql, rows));
        if (written.rows() + written.keptNewer() != rows.rows()) {
            throw dropped(place, written.rows() + " of " + rows.rows() + " rows were taken by the table");
        }
        return written;
    }

    /** The statements that merge the rows, which wait in a TEMP table. */
    private MergeSql staged(String place, Target target, Staged rows, SinkWrite.Merge merge) {
        CastColumns casts = new CastColumns(target, rows.columns());
        String temp = tempTable(place, casts);
        copy(place, casts, rows, temp, merge.keys());
        casts.check(session, place, temp, merge.keys());
        return new MergeSql(target, temp, casts.castFrom(temp), names(rows), merge);
    }

    /** What is joined with the table is counted first, for the server's plan; an upsert reads its rows one by one anyway. */
    private static boolean analyzed(PgConnection connection, MergeSql sql) throws SQLException {
        Session.execute(connection, sql.analyze());
        return true;
    }

    /** What the table did not take is newer in it, or was dropped. */
    private Written upsert(String place, PgConnection connection, MergeSql sql, Staged rows) throws SQLException {
        long delivered = Session.update(connection, sql.upsert());
        long left = rows.rows() - delivered;
        if (left == 0) {
            return new Written(delivered, 0);
        }
        analyzed(connection, sql);
        if (rows.raw().isPresent()) {
            // The server refuses to write a row twice, but not to leave two rows out for one that is newer.
            refuseDoubled(place, connection, sql);
        }
        return sql.updates()
                ? new Written(delivered, Math.min(left, Session.number(connection, sql.countNewer())))
                : known(connection, sql);
    }

    private Written updateAndInsert(String place, PgConnection connection, MergeSql sql, Staged rows)
            throws SQLException {
        analyzed(connection, sql);
        // Where there is no index that would say so itself.
        refuseDoubled(place, connection, sql);
        Session.execute(connection, sql.lock());
        long newer = Session.number(connection, sql.countNewer());
        if (!sql.updates()) {
            Session.update(connection, sql.insertMissing());
            return known(connection, sql);
        }
        long replaced = Session.number(connection, sql.update());
        long delivered = replaced + Session.update(connection, sql.insertMissing());
        return new Written(delivered, Math.min(rows.rows() - delivered, newer));
    }

    private void refuseDoubled(String place, PgConnection connection, MergeSql sql) throws SQLException {
        if (Session.number(connection, sql.countDoubled()) > 0) {
            throw session.failures().of(place, Failures.EQUAL_KEYS, Failures.ONE_ROW_A_KEY);
        }
    }

    /** Of rows that are nothing but their keys: those that are in the table. */
    private static Written known(PgConnection connection, MergeSql sql) throws SQLException {
        return new Written(Session.number(connection, sql.countKnown()), 0);
    }

    /** One table for each shape, kept by the session: one for each slice would bloat the catalog. */
    private String tempTable(String place, CastColumns casts) {
        String target = casts.target().sql();
        String shape = casts.typesBefore().entrySet().stream()
                .map(column ->
                        Sql.quote(column.getKey()) + " " + column.getValue().written())
                .collect(Collectors.joining(", "));
        String name = "pg_temp."
                + Sql.quote("weir_" + UUID.nameUUIDFromBytes((target + shape).getBytes(StandardCharsets.UTF_8)));
        session.run(place, connection -> {
            Session.execute(
                    connection,
                    "CREATE TEMP TABLE IF NOT EXISTS " + name + " ON COMMIT DELETE ROWS AS SELECT " + casts.shape()
                            + " FROM " + target + " WITH NO DATA");
            if (!filled.add(name)) {
                Session.execute(connection, "TRUNCATE " + name);
            }
            return true;
        });
        return name;
    }

    @Override
    public boolean isEmpty(TableName table) {
        return steps.step(
                () -> session.run(sink.place(table), connection -> !PostgresSink.holdsRows(connection, table)));
    }

    @Override
    public void move(TableName table, PositionKey key, Optional<Mark> former, Mark next) {
        steps.step(() -> session.run(sink.place(table), connection -> {
            sink.ledger(connection, table).move(key, former, next);
            return true;
        }));
    }

    @Override
    public void complete(TableName table, ChunkMark done) {
        steps.step(() -> session.run(sink.place(table), connection -> {
            sink.chunks(connection, table).complete(done);
            return true;
        }));
    }

    @Override
    public void commit() {
        String place = sink.connection();
        try {
            session.run(place, connection -> {
                if (!steps.areSound() || connection.getTransactionState() != TransactionState.OPEN) {
                    throw session.failures()
                            .of(
                                    place,
                                    "the transaction has failed before its COMMIT",
                                    "run again; nothing of it was kept");
                }
                return true;
            });
            session.commit(place);
        } finally {
            close();
        }
    }

    @Override
    public void close() {
        if (steps.end()) {
            sink.finished(session);
        }
    }
}
