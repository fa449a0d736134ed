package dev.weir.connector.postgres;

import dev.weir.connector.Column;
import dev.weir.connector.DuckSession;
import dev.weir.connector.Entity;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.Snapshot;
import dev.weir.connector.Source;
import dev.weir.connector.SourceColumn;
import dev.weir.connector.Staged;
import dev.weir.connector.TableName;
import dev.weir.engine.DuckEngine;
import dev.weir.engine.EngineSettings;
import dev.weir.engine.StageListener;
import dev.weir.engine.StagedSource;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorType;
import dev.weir.testing.Postgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A database, an engine, and the steps between them that tests take again and again. */
final class Bench implements AutoCloseable {

    final Postgres.Database database = Postgres.fresh();
    final DuckEngine engine;
    final PostgresConnector connector = new PostgresConnector();

    Bench(Path folder) {
        this(EngineSettings.spillingTo(folder.resolve("spill")));
    }

    Bench(EngineSettings settings) {
        engine = DuckEngine.start(settings);
    }

    Source source() {
        return connector.source(database.settings(), engine);
    }

    static Entity.Table table(String name) {
        return new Entity.Table(TableName.parse(name));
    }

    static Cursor cursor(String column, String type) {
        return new Cursor(column, CursorType.printed(type).orElseThrow());
    }

    static CursorRange all(Cursor cursor) {
        return CursorRange.startingAt(cursor.type().least(), cursor.type().greatest());
    }

    /** Every column as the catalog gives it. */
    static List<Column> natural(Source source, Entity entity) {
        List<Column> columns = new ArrayList<>();
        for (SourceColumn column : source.describe(entity)) {
            columns.add(new Column(column.name(), column.type().orElseThrow()));
        }
        return columns;
    }

    /** Stages a read under {@code staging.rows}. */
    StagedSource stage(Source source, ReadRequest request, Optional<CursorRange> range) {
        try (Snapshot snapshot = source.open(request)) {
            return engine.stage("rows", request, snapshot.read(range), StageListener.NONE);
        }
    }

    /** Stages a whole table with its natural types. */
    StagedSource stage(Entity entity) {
        try (Source source = source()) {
            return stage(source, new ReadRequest(entity, natural(source, entity), Optional.empty()), Optional.empty());
        }
    }

    /** Stages a whole table with declared types. */
    StagedSource stage(Entity entity, Column... columns) {
        try (Source source = source()) {
            return stage(source, new ReadRequest(entity, List.of(columns), Optional.empty()), Optional.empty());
        }
    }

    Staged rows(String select) {
        return engine.run("out", select);
    }

    /** The rows of a query to DuckDB, as text joined by {@code |}. */
    List<String> duck(String query) {
        return duck(engine, query);
    }

    static List<String> duck(DuckSession session, String query) {
        try (Connection connection = session.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (" + query + ")")) {
            List<String> rows = new ArrayList<>();
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    row.add(String.valueOf(result.getString(i)));
                }
                rows.add(String.join("|", row));
            }
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        engine.close();
    }
}
