package dev.weir.connector;

import static dev.weir.connector.DuckSession.quoted;

import dev.weir.engine.DuckEngine;
import dev.weir.engine.EngineSettings;
import dev.weir.engine.StageListener;
import dev.weir.engine.StagedSource;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the kits for sources and sinks share: a DuckDB session, and a system that starts empty in each test.
 *
 * <p>A connector's subclass gives the system and tells how it spells types and values; all tests are here.
 */
public abstract class ConnectorKit {

    @TempDir
    protected Path folder;

    protected DuckEngine engine;

    @BeforeEach
    final void startEngine() {
        engine = DuckEngine.start(EngineSettings.spillingTo(folder.resolve("spill")));
    }

    @AfterEach
    final void closeEngine() {
        engine.close();
    }

    /** The connector under test. */
    protected abstract Connector connector();

    /** A connection named {@code sys} to the system, which is empty when a test starts. */
    protected abstract ConnectionSettings settings();

    /** Runs SQL in the system behind weir's back; committed when it returns. */
    protected abstract void execute(String sql);

    /** Asks the system behind weir's back: the rows as texts, columns joined by {@code |}, NULL as {@code null}. */
    protected abstract List<String> query(String sql);

    /** The system's own name of the type that is read as a DuckDB type; empty: it has none. */
    protected abstract Optional<String> typeName(String duckType);

    /** The system's SQL for a value, given as DuckDB prints it. */
    protected String value(String duckType, String text) {
        return "CAST('" + text.replace("'", "''") + "' AS " + typeName(duckType).orElseThrow() + ")";
    }

    /** Whether the system has that very value of a type it has; given as DuckDB prints it. */
    protected boolean holds(String duckType, String text) {
        return true;
    }

    /** Those of the samples the system has. */
    protected final List<String> held(Samples samples) {
        return samples.values().stream()
                .filter(text -> holds(samples.type(), text))
                .toList();
    }

    /** Rows of the session as texts, columns joined by {@code |}, NULL as {@code null}, in order. */
    protected final List<String> staged(String relation) {
        return ask("SELECT * FROM " + relation + " ORDER BY ALL");
    }

    protected final List<String> ask(String sql) {
        try (Connection connection = engine.connect();
                ResultSet result = connection
                        .createStatement()
                        .executeQuery("SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (" + sql + ")")) {
            return rows(result);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    /** The rows of a result as texts. */
    public static List<String> rows(ResultSet result) throws SQLException {
        List<String> rows = new ArrayList<>();
        while (result.next()) {
            StringJoiner row = new StringJoiner("|");
            for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                row.add(String.valueOf(result.getString(i)));
            }
            rows.add(row.toString());
        }
        return rows;
    }

    /** What weir reads of an entity: staged under {@code src}, and as texts. */
    protected final Read read(Source source, ReadRequest request, Optional<CursorRange> range) {
        StagedSource staged;
        try (Snapshot snapshot = source.open(request)) {
            staged = engine.stage("src", request, snapshot.read(range), StageListener.NONE);
        }
        return new Read(staged, staged(staged.relation()));
    }

    /** @param rows in order */
    protected record Read(StagedSource staged, List<String> rows) {}

    /** All columns of a table by the types of the catalog. */
    protected static List<Column> all(Source source, Entity entity) {
        return source.describe(entity).stream()
                .map(column -> new Column(column.name(), column.type().orElseThrow()))
                .toList();
    }

    protected static Entity table(String name) {
        return new Entity.Table(TableName.parse(name));
    }

    protected static Optional<Cursor> cursor(String column, String duckType) {
        return Optional.of(new Cursor(column, CursorType.named(duckType).orElseThrow()));
    }

    protected static CursorValue bigint(long value) {
        return CursorType.of(CursorType.Kind.BIGINT).units(value);
    }

    /** {@code CREATE TABLE} of quoted columns, each a name and a DuckDB type. */
    protected final void createTable(String table, String... namesAndTypes) {
        StringJoiner columns = new StringJoiner(", ");
        for (int i = 0; i < namesAndTypes.length; i += 2) {
            columns.add(quoted(namesAndTypes[i]) + " "
                    + typeName(namesAndTypes[i + 1]).orElseThrow());
        }
        execute("CREATE TABLE " + table + " (" + columns + ")");
    }
}
