package dev.weir.connector.sqlite;

import dev.weir.slicing.OnSchemaChange;
import dev.weir.connector.Column;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.Staged;
import dev.weir.connector.TableName;
import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.jdbc.Steps;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.fault.UnknownOutcomeException;
import dev.weir.slicing.ChunkMark;
import dev.weir.slicing.Mark;
import dev.weir.slicing.PositionKey;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The one transaction of its time that writes to the file. */
final class SqliteTransaction implements SinkTransaction {

    private final SqliteSink sink;
    private final Session session;
    private final Steps steps = new Steps();

    SqliteTransaction(SqliteSink sink, Session session) {
        this.sink = sink;
        this.session = session;
    }

    @Override
    public void create(TableName table, List<Column> columns, List<String> keys) {
        steps.step(() -> createTable(table, columns, keys));
    }

    private boolean createTable(TableName table, List<Column> columns, List<String> keys) {
        String place = sink.place(table);
        if (!Catalog.isHere(table)) {
            throw session.failures()
                    .of(
                            place,
                            "the file has no schema " + table.parts().get(0),
                            "a SQLite file has one, main: name the table alone");
        }
        String list = columns.stream()
                .map(column -> Sql.quote(column.name()) + " " + SinkTypes.created(place, column)
                        + (keys.contains(column.name()) ? " NOT NULL" : ""))
                .collect(Collectors.joining(", "));
        String key = keys.isEmpty() ? "" : ", PRIMARY KEY (" + Sql.quote(keys) + ")";
        session.act(
                place,
                connection ->
                        Session.execute(connection, "CREATE TABLE " + Sql.quote(table) + " (" + list + key + ")"));
        return true;
    }

    @Override
    public Written write(TableName table, Staged rows, SinkWrite how) {
        return steps.step(() -> {
            String place = sink.place(table);
            Target target = target(table);
            target.fit(place, rows.columns(), how, OnSchemaChange.FAIL);
            if (how instanceof SinkWrite.Merge merge) {
                sink.onceForKeys(table, merge.keys(), () -> checkKeys(place, target, merge.keys()));
            }
            return new TableWrite(sink.duck(), session, place, target, rows).write(how);
        });
    }

    @Override
    public Written delete(TableName table, Staged gone, SinkWrite.Merge how) {
        return steps.step(() -> {
            String place = sink.place(table);
            Target target = target(table);
            target.check(place, gone.columns());
            sink.onceForKeys(table, how.keys(), () -> checkKeys(place, target, how.keys()));
            return new TableWrite(sink.duck(), session, place, target, gone).delete(how);
        });
    }

    private Target target(TableName table) {
        String place = sink.place(table);
        return session.run(place, connection -> Target.find(connection, table)).orElseThrow(() -> session.failures()
                .of(place, "there is no table " + table, "it was dropped while this run was at work; run again"));
    }

    private void checkKeys(String place, Target target, List<String> keys) {
        session.act(place, connection -> SpelledKeys.check(connection, session.failures(), place, target, keys));
    }

    @Override
    public boolean isEmpty(TableName table) {
        return steps.step(() -> session.run(sink.place(table), connection -> !SqliteSink.holdsRows(connection, table)));
    }

    @Override
    public void move(TableName table, PositionKey key, Optional<Mark> former, Mark next) {
        String place = sink.place(table);
        steps.step(() -> session.run(place, connection -> {
            new Ledger(connection, place).move(key, former, next);
            return true;
        }));
    }

    @Override
    public void complete(TableName table, ChunkMark done) {
        String place = sink.place(table);
        steps.step(() -> session.run(place, connection -> {
            new Chunks(connection, place).complete(done);
            return true;
        }));
    }

    @Override
    public void commit() {
        String place = sink.connection();
        try {
            if (!steps.areSound()) {
                throw session.failures()
                        .of(place, "the transaction has failed before its COMMIT", "run again; nothing of it was kept");
            }
            session.commit(place);
        } catch (SQLException e) {
            RunException failure = session.failure(place, e);
            throw Failures.isCleanAnswer(e)
                    ? failure
                    : new UnknownOutcomeException(place, failure.fault().what(), e);
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
