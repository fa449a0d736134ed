package dev.weir.connector.duckdb;

import static dev.weir.connector.DuckSession.quoted;

import dev.weir.connector.Column;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.Staged;
import dev.weir.connector.TableName;
import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.RunException;
import dev.weir.fault.UnknownOutcomeException;
import dev.weir.slicing.ChunkMark;
import dev.weir.slicing.Mark;
import dev.weir.slicing.OnSchemaChange;
import dev.weir.slicing.PositionKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** One transaction on a connection of its own. */
final class DuckDbTransaction implements SinkTransaction {

    private final DuckFile file;
    private final DuckSql sql;
    private final Known known;
    private final Connection connection;
    private final String catalog;
    private final Consumer<Connection> afterwards;
    private State state = State.OPEN;

    private enum State {
        OPEN,
        /** Something failed. DuckDB answers a COMMIT of an aborted transaction as if it had worked. */
        BROKEN,
        /** DuckDB was asked to commit it, and has not. */
        REFUSED,
        COMMITTED,
        CLOSED
    }

    /** One piece of work in the transaction. */
    private interface Work<T> {
        T run() throws SQLException;
    }

    /** @param afterwards who takes the connection when the transaction has committed */
    DuckDbTransaction(
            DuckFile file,
            DuckSql sql,
            Known known,
            Connection connection,
            String catalog,
            Consumer<Connection> afterwards) {
        this.file = file;
        this.sql = sql;
        this.known = known;
        this.connection = connection;
        this.catalog = catalog;
        this.afterwards = afterwards;
    }

    private <T> T work(TableName table, Work<T> work) {
        if (state != State.OPEN) {
            throw new IllegalStateException("the transaction is " + state);
        }
        state = State.BROKEN;
        T result;
        try {
            result = work.run();
        } catch (SQLException e) {
            throw DuckSql.failure(Code.SINK, place(table), e);
        }
        state = State.OPEN;
        return result;
    }

    private String place(TableName table) {
        return file.name() + "." + table;
    }

    private String qualified(TableName table) {
        file.checkParts(Code.SINK, table);
        return DuckFile.qualified(catalog, table);
    }

    @Override
    public void create(TableName table, List<Column> columns, List<String> keys) {
        work(table, () -> {
            String schema = DuckFile.schema(table);
            if (sql.count(
                            connection,
                            "SELECT count(*) FROM duckdb_schemas() WHERE database_name = ? AND schema_name = ?",
                            catalog,
                            schema)
                    == 0) {
                throw new RunException(
                        Code.SINK,
                        place(table),
                        "the file has no schema " + schema,
                        "create it: CREATE SCHEMA " + quoted(schema) + ", or write to the schema main");
            }
            return sql.update(
                    connection,
                    "CREATE TABLE " + qualified(table) + " ("
                            + columns.stream()
                                    .map(column -> quoted(column.name()) + " " + column.type())
                                    .collect(Collectors.joining(", "))
                            + ")");
        });
    }

    @Override
    public Written write(TableName table, Staged rows, SinkWrite how) {
        return work(table, () -> {
            Shape shape = shape(table);
            // Checked here again: another pipeline of this run may have made the table since it was bound.
            shape.fit(place(table), table, rows.columns(), how, OnSchemaChange.FAIL);
            return new TableWrite(sql, connection, place(table), qualified(table), shape, rows).write(how);
        });
    }

    @Override
    public Written delete(TableName table, Staged gone, SinkWrite.Merge how) {
        return work(table, () -> {
            Shape shape = shape(table);
            shape.check(place(table), table, gone.columns());
            return new TableWrite(sql, connection, place(table), qualified(table), shape, gone).delete(how);
        });
    }

    private Shape shape(TableName table) throws SQLException {
        return known.shape(table, () -> Shape.of(sql, connection, catalog, table, Code.SINK, place(table)))
                .orElseThrow(() -> new RunException(
                        Code.SINK,
                        place(table),
                        "there is no table " + table + " any more",
                        "run again, and it is created"));
    }

    @Override
    public boolean isEmpty(TableName table) {
        return work(table, () -> sql.again(
                        connection, "SELECT 1 FROM " + qualified(table) + " LIMIT 1", row -> row.getInt(1))
                .isEmpty());
    }

    @Override
    public void move(TableName table, PositionKey key, Optional<Mark> former, Mark next) {
        work(table, () -> {
            new Ledger(sql, known, place(table), catalog, DuckFile.schema(table)).move(connection, key, former, next);
            return true;
        });
    }

    @Override
    public void complete(TableName table, ChunkMark done) {
        work(table, () -> {
            new Chunks(sql, known, connection, place(table), catalog, DuckFile.schema(table)).complete(done);
            return true;
        });
    }

    @Override
    public void commit() {
        if (state != State.OPEN) {
            throw new IllegalStateException("the transaction is " + state);
        }
        state = State.REFUSED;
        try {
            DuckSql.execute(connection, "COMMIT");
            state = State.COMMITTED;
        } catch (SQLException e) {
            throw refused(e);
        }
    }

    /** DuckDB answers in this process, so a refusal is known; only a failing disk leaves it open. */
    private RunException refused(SQLException e) {
        String message = DuckSql.message(e);
        if (DuckSql.isConflict(message)) {
            return RunException.lasting(
                    new Fault(
                            Code.HELD_ELSEWHERE,
                            file.name(),
                            "another transaction committed the same rows, marks or chunks first: " + message,
                            "run again; nothing of this slice was kept"),
                    e);
        }
        boolean disk = message.startsWith("IO Error") || message.startsWith("FATAL Error");
        return disk ? new UnknownOutcomeException(file.name(), message, e) : DuckSql.failure(Code.SINK, file.name(), e);
    }

    @Override
    public void close() {
        State before = state;
        state = State.CLOSED;
        switch (before) {
            case OPEN, BROKEN -> rollBack();
            case REFUSED -> end();
            case COMMITTED -> afterwards.accept(connection);
            case CLOSED -> {}
        }
    }

    private void rollBack() {
        try {
            DuckSql.execute(connection, "ROLLBACK");
        } catch (SQLException e) {
            // Closing the connection rolls back as well.
            return;
        } finally {
            end();
        }
    }

    private void end() {
        try {
            sql.end(connection);
        } catch (SQLException e) {
            // Nothing of it was kept.
            return;
        }
    }
}
