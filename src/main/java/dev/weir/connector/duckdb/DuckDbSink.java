package dev.weir.connector.duckdb;

import static dev.weir.connector.DuckSession.quoted;

import dev.weir.connector.Column;
import dev.weir.connector.Fit;
import dev.weir.connector.Sink;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.TableName;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.slicing.ChunkKey;
import dev.weir.slicing.ChunkMark;
import dev.weir.slicing.Mark;
import dev.weir.slicing.OnSchemaChange;
import dev.weir.slicing.PlanKey;
import dev.weir.slicing.PositionKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes a DuckDB file. Looking at it creates nothing; the first transaction does.
 *
 * <p>Questions and transactions have different connections, so that a question sees what is committed and nothing else.
 */
final class DuckDbSink implements Sink {

    private final DuckFile file;
    private final DuckSql sql = new DuckSql();
    private final Known known = Known.nothing();
    private @Nullable Connection looking;

    /** One that no transaction is using. */
    private @Nullable Connection writing;

    DuckDbSink(DuckFile file) {
        this.file = file;
    }

    /** A question put to an existing file. */
    private interface Question<T> {
        T ask(Connection connection, String catalog) throws SQLException;
    }

    private <T> T ask(TableName table, T withoutFile, Question<T> question) {
        file.checkParts(Code.SINK, table);
        Optional<String> catalog = file.existingCatalog();
        if (catalog.isEmpty()) {
            return withoutFile;
        }
        try {
            return question.ask(looking(catalog.get()), catalog.get());
        } catch (SQLException e) {
            end(looking);
            looking = null;
            throw DuckSql.failure(Code.SINK, place(table), e);
        }
    }

    /** In autocommit, so that each question sees what is committed by then. */
    private Connection looking(String catalog) throws SQLException {
        Connection open = looking;
        if (open == null) {
            open = sql.keep(file.connect(catalog));
            looking = open;
        }
        return open;
    }

    private String place(TableName table) {
        return file.name() + "." + table;
    }

    private Optional<Shape> shape(TableName table) {
        return ask(
                table,
                Optional.empty(),
                (connection, catalog) ->
                        known.shape(table, () -> Shape.of(sql, connection, catalog, table, Code.SINK, place(table))));
    }

    @Override
    public Optional<List<Column>> describe(TableName table) {
        return shape(table).map(shape -> shape.columns().stream()
                .map(field -> new Column(field.name(), field.type()))
                .toList());
    }

    @Override
    public boolean hasRows(TableName table) {
        return ask(table, false, (connection, catalog) -> !sql.again(
                        connection,
                        "SELECT 1 FROM " + DuckFile.qualified(catalog, table) + " LIMIT 1",
                        row -> row.getInt(1))
                .isEmpty());
    }

    @Override
    public Fit fit(TableName table, List<Column> columns, SinkWrite write, OnSchemaChange policy) {
        Shape shape = shape(table)
                .orElseThrow(() -> new RunException(
                        Code.SINK, place(table), "there is no table " + table, "run again, and it is created"));
        if (ask(table, false, (connection, catalog) -> Shape.isView(sql, connection, catalog, table))) {
            throw new RunException(Code.SINK, place(table), "it is a view, and a view takes no rows", "name a table");
        }
        return shape.fit(place(table), table, columns, write, policy);
    }

    /** Never in the transaction of rows: DuckDB does not take both. */
    @Override
    public void alter(TableName table, Fit fit) {
        String catalog = file.writtenCatalog();
        String alter = "ALTER TABLE " + DuckFile.qualified(catalog, table);
        try (Connection connection = file.connect(catalog)) {
            DuckSql.execute(connection, "BEGIN TRANSACTION");
            for (Column column : fit.added()) {
                DuckSql.execute(
                        connection, alter + " ADD COLUMN IF NOT EXISTS " + quoted(column.name()) + " " + column.type());
            }
            Shape now = Shape.of(sql, connection, catalog, table, Code.SINK, place(table))
                    .orElseThrow(() -> new SQLException("the table has just been dropped"));
            for (Column column : now.stillNarrow(place(table), table, fit)) {
                DuckSql.execute(
                        connection, alter + " ALTER COLUMN " + quoted(column.name()) + " TYPE " + column.type());
            }
            DuckSql.execute(connection, "COMMIT");
        } catch (SQLException e) {
            throw DuckSql.failure(Code.SINK, place(table), e);
        } finally {
            known.forget();
        }
    }

    @Override
    public Optional<Mark> mark(TableName table, PositionKey key) {
        return ask(table, Optional.empty(), (connection, catalog) -> ledger(catalog, table)
                .newest(connection, key));
    }

    @Override
    public List<PositionKey> marked(TableName table, String sink) {
        return ask(table, List.of(), (connection, catalog) -> ledger(catalog, table)
                .keys(connection, sink));
    }

    @Override
    public List<Mark> marks(TableName table, PositionKey key) {
        return ask(table, List.of(), (connection, catalog) -> ledger(catalog, table)
                .all(connection, key));
    }

    @Override
    public List<ChunkMark> chunks(TableName table, PlanKey plan) {
        return ask(table, List.of(), (connection, catalog) -> chunks(connection, catalog, table)
                .ofPlan(plan));
    }

    @Override
    public List<ChunkMark> chunksOfOthers(TableName table, PlanKey plan) {
        return ask(table, List.of(), (connection, catalog) -> chunks(connection, catalog, table)
                .ofOthers(plan));
    }

    @Override
    public List<ChunkMark> chunksOfAll(TableName table, String project, String pipeline, String sink) {
        return ask(table, List.of(), (connection, catalog) -> chunks(connection, catalog, table)
                .ofAll(project, pipeline, sink));
    }

    @Override
    public Optional<ChunkMark> chunk(TableName table, ChunkKey key) {
        return ask(table, Optional.empty(), (connection, catalog) -> chunks(connection, catalog, table)
                .find(key));
    }

    private Chunks chunks(Connection connection, String catalog, TableName table) {
        return new Chunks(sql, known, connection, place(table), catalog, DuckFile.schema(table));
    }

    private Ledger ledger(String catalog, TableName table) {
        return new Ledger(sql, known, place(table), catalog, DuckFile.schema(table));
    }

    @Override
    public SinkTransaction begin() {
        String catalog = file.writtenCatalog();
        file.fold();
        try {
            Connection open = writing;
            Connection connection = open == null ? sql.keep(file.connect(catalog)) : open;
            writing = null;
            DuckSql.execute(connection, "BEGIN TRANSACTION");
            return new DuckDbTransaction(file, sql, known.asItIs(), connection, catalog, this::keep);
        } catch (SQLException e) {
            throw DuckSql.failure(Code.SINK, file.name(), e);
        }
    }

    private void keep(Connection done) {
        end(writing);
        writing = done;
    }

    /** One process holds the file and DuckDB answers a COMMIT in it, so no lock is needed to read the truth. */
    @Override
    public boolean hasCommitted(TableName table, PositionKey key, Mark moved) {
        return mark(table, key).equals(Optional.of(Ledger.asStored(moved)));
    }

    /** As for marks. */
    @Override
    public boolean hasCommitted(TableName table, ChunkKey key, String runId) {
        return chunk(table, key).filter(found -> found.runId().equals(runId)).isPresent();
    }

    @Override
    public void cancel() {
        sql.cancel();
    }

    @Override
    public void close() {
        known.forget();
        end(looking);
        end(writing);
        file.close();
    }

    private void end(@Nullable Connection connection) {
        try {
            if (connection != null) {
                sql.end(connection);
            }
        } catch (SQLException e) {
            // What was on it goes with the file.
            return;
        }
    }
}
