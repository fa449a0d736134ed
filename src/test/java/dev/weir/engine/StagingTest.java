package dev.weir.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.connector.Column;
import dev.weir.connector.ColumnWriter;
import dev.weir.connector.Entity;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.SliceRead;
import dev.weir.connector.SliceRead.Wire;
import dev.weir.connector.SliceRead.WireColumn;
import dev.weir.connector.Staged;
import dev.weir.connector.TableName;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StagingTest {

    @TempDir
    Path folder;

    private DuckEngine engine;

    @BeforeEach
    void start() {
        engine = DuckEngine.start(EngineSettings.spillingTo(folder.resolve("spill")));
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void stagesWhatTheReaderFills() throws SQLException {
        StagedSource staged = engine.stage("src", request(Optional.of(id())), new Numbers(5_000), StageListener.NONE);

        assertThat(staged.rows()).isEqualTo(5_000);
        assertThat(staged.columns()).containsExactly(new Column("id", "BIGINT"), new Column("at", "TIMESTAMP"));
        assertThat(staged.max()).contains(CursorType.of(CursorType.Kind.BIGINT).units(4_999));
        assertThat(engine.run("out", "SELECT count(*)::VARCHAR || ' ' || max(\"at\") AS n FROM " + staged.relation()))
                .satisfies(out -> assertThat(value(out)).isEqualTo("5000 1970-01-01 00:00:00.004999"));
    }

    @Test
    void everyRowIsStagedOnceHoweverManyThreadsPull() {
        for (int rows : List.of(600_000, 1_000, 600_000, 600_000)) {
            StagedSource staged =
                    engine.stage("src", request(Optional.of(id())), new Numbers(rows), StageListener.NONE);

            assertThat(staged.rows()).isEqualTo(rows);
            assertThat(value(
                            engine.run("out", "SELECT count(DISTINCT id) || ' ' || sum(id) FROM " + staged.relation())))
                    .isEqualTo(rows + " " + rows * (rows - 1L) / 2);
        }
    }

    @Test
    void replacesWhatAnEarlierAttemptLeft() {
        engine.stage("src", request(Optional.of(id())), new Numbers(100), StageListener.NONE);
        StagedSource staged = engine.stage("src", request(Optional.of(id())), new Numbers(3), StageListener.NONE);

        assertThat(value(engine.run("out", "SELECT count(*) FROM " + staged.relation())))
                .isEqualTo("3");
    }

    @Test
    void whateverWasMadeUnderAnIdMakesRoomForTheNext() {
        Cursor hidden = new Cursor("seq", CursorType.of(CursorType.Kind.BIGINT));
        Numbers withCursor = new Numbers(7) {
            @Override
            public List<WireColumn> columns() {
                return List.of(
                        new WireColumn("id", Wire.BIGINT, "%s"),
                        new WireColumn(ReadRequest.HIDDEN_CURSOR, Wire.BIGINT, "%s"));
            }
        };
        engine.run("other", "SELECT 5::BIGINT AS id");
        for (int i = 0; i < 8; i++) {
            withCursor.next = 0;
            engine.stage("x", request(Optional.of(hidden)), withCursor, StageListener.NONE);
            assertThat(rowsOfX()).isEqualTo("7");
            dropSometimes(i, 1);
            engine.stage("x", request(Optional.of(id())), new Numbers(3), StageListener.NONE);
            assertThat(rowsOfX()).isEqualTo("3");
            dropSometimes(i, 2);
            engine.union("x", List.of("other", "other"), List.of(new Column("id", "BIGINT")));
            assertThat(rowsOfX()).isEqualTo("2");
            dropSometimes(i, 4);
        }
    }

    private void dropSometimes(int round, int bit) {
        if ((round & bit) != 0) {
            engine.drop("x");
        }
    }

    private String rowsOfX() {
        return value(engine.run("n", "SELECT count(*) FROM staging.x"));
    }

    @Test
    void stagesNoRowsAsAnEmptyRelation() {
        StagedSource staged = engine.stage("src", request(Optional.of(id())), new Numbers(0), StageListener.NONE);

        assertThat(staged.rows()).isZero();
        assertThat(staged.max()).isEmpty();
        assertThat(staged.columns()).hasSize(2);
    }

    @Test
    void hidesTheCursorThatNobodyAskedFor() {
        Cursor cursor = new Cursor("seq", CursorType.of(CursorType.Kind.BIGINT));
        Numbers read = new Numbers(10) {
            @Override
            public List<WireColumn> columns() {
                return List.of(
                        new WireColumn("id", Wire.BIGINT, "%s"),
                        new WireColumn(ReadRequest.HIDDEN_CURSOR, Wire.BIGINT, "%s * 2"));
            }
        };
        ReadRequest request = new ReadRequest(
                new Entity.Table(TableName.parse("t")), List.of(new Column("id", "BIGINT")), Optional.of(cursor));

        StagedSource staged = engine.stage("src", request, read, StageListener.NONE);

        assertThat(staged.columns()).containsExactly(new Column("id", "BIGINT"));
        assertThat(staged.max()).contains(cursor.type().units(18));
        assertThat(engine.run("out", "SELECT * FROM " + staged.relation()).columns())
                .containsExactly(new Column("id", "BIGINT"));
    }

    @Test
    void tellsHowFarItHasCome() {
        List<Long> heard = new ArrayList<>();

        engine.stage("src", request(Optional.empty()), new Numbers(5_000), heard::add);

        assertThat(heard).containsExactly(2_048L, 4_096L, 5_000L);
    }

    @Test
    void throwsTheSourcesOwnFailure() {
        RunException failure = new RunException(Code.SOURCE, "pg.orders", "the connection broke", "run again");
        SliceRead read = new Numbers(10_000) {
            @Override
            public int fill(ColumnWriter writer) {
                if (next > 4_000) {
                    throw failure;
                }
                return super.fill(writer);
            }
        };

        assertThatThrownBy(() -> engine.stage("src", request(Optional.empty()), read, StageListener.NONE))
                .isSameAs(failure);
        assertThatThrownBy(() -> engine.run("out", "SELECT * FROM staging.src"))
                .hasMessageContaining("src")
                .isInstanceOf(RunException.class);
    }

    @Test
    void anExceptionNobodyMeantIsABugAndSaysSo() {
        SliceRead read = new Numbers(10) {
            @Override
            public int fill(ColumnWriter writer) {
                throw new IllegalStateException("index 7");
            }
        };

        assertThatThrownBy(() -> engine.stage("src", request(Optional.empty()), read, StageListener.NONE))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0599")
                .hasMessageContaining("index 7");
    }

    @Test
    void endsAChunkEarlyWhenItsTextsGrow() {
        byte[] large = "x".repeat(3 << 20).getBytes(StandardCharsets.US_ASCII);
        List<Long> heard = new ArrayList<>();

        StagedSource staged = engine.stage("src", request(Optional.empty()), new Texts(10, large), heard::add);

        assertThat(staged.rows()).isEqualTo(10);
        assertThat(heard).containsExactly(3L, 6L, 9L, 10L);
        assertThat(value(engine.run("out", "SELECT sum(strlen(s)) FROM " + staged.relation())))
                .isEqualTo(Long.toString(10L * (3 << 20)));
    }

    @Test
    void cancelEndsAReadThatIsBlocked() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        SliceRead read = new Numbers(1_000_000) {
            @Override
            public int fill(ColumnWriter writer) {
                reading.countDown();
                try {
                    released.await(20, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return super.fill(writer);
            }
        };
        CompletableFuture<StagedSource> staging = CompletableFuture.supplyAsync(
                () -> engine.stage("src", request(Optional.empty()), read, StageListener.NONE));
        reading.await();

        engine.cancel();
        released.countDown();

        assertThatThrownBy(() -> staging.get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("cancelled");
        assertThatThrownBy(() -> engine.run("out", "SELECT 1")).hasMessageContaining("cancelled");
    }

    @Test
    void cancelEndsAPipelineThatRuns() throws Exception {
        CompletableFuture<Staged> running = CompletableFuture.supplyAsync(() -> engine.run(
                "out",
                "SELECT sum(a.range * b.range) FROM"
                        + " range(10_000_000) a, range(10_000_000) b WHERE (a.range + b.range) % 7 = 3"));

        await().pollInSameThread().until(() -> {
            engine.cancel();
            return running.isDone();
        });

        assertThatThrownBy(running::get).hasMessageContaining("cancelled");
    }

    @ParameterizedTest
    @CsvSource({
        "TIMESTAMP_NS,   -1,               -1",
        "TIMESTAMP_NS,   1999,             1",
        "TIMESTAMP_NS,   -1000,            -1",
        "TIMESTAMP_NS,   -1001,            -2",
    })
    void floorsTheGreatestCursorToTheMicrosecond(String type, long nanos, long micros) {
        Cursor cursor = new Cursor("at", CursorType.of(CursorType.Kind.TIMESTAMP));
        ReadRequest request = new ReadRequest(
                new Entity.Table(TableName.parse("t")), List.of(new Column("at", type)), Optional.of(cursor));

        StagedSource staged = scan(request, "SELECT make_timestamp_ns(" + nanos + ") AS at");

        assertThat(staged.max()).contains(cursor.type().units(micros));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ubigint       | 18446744073709551615",
                "bigint        | -9223372036854775808",
                "decimal(38,6) | 20210917143704063398441100000.5",
                "date          | 5881580-07-10",
                "date          | 0044-03-15 (BC)",
            })
    void readsTheGreatestCursorToTheEndsOfItsType(String type, String value) {
        CursorType cursorType = CursorType.named(type).orElseThrow();
        ReadRequest request = new ReadRequest(
                new Entity.Table(TableName.parse("t")),
                List.of(new Column("c", type)),
                Optional.of(new Cursor("c", cursorType)));

        StagedSource staged = scan(request, "SELECT CAST('" + value + "' AS " + type + ") AS c");

        assertThat(staged.max().map(max -> max.units().toString()))
                .contains(
                        switch (value) {
                            case "5881580-07-10" -> "2147483646";
                            case "0044-03-15 (BC)" -> "-735160";
                            case "20210917143704063398441100000.5" -> "20210917143704063398441100000500000";
                            default -> value;
                        });
    }

    @Test
    void aScanIsStagedOnItsOwnConnection() throws SQLException {
        try (Connection connection = engine.connect()) {
            connection.createStatement().execute("CREATE TEMP TABLE mine AS SELECT 7 AS c");
            StagedSource staged = engine.stage(
                    "src",
                    request(Optional.empty()),
                    new SliceRead.DuckScan(connection, "SELECT c FROM mine"),
                    StageListener.NONE);
            assertThat(staged.rows()).isEqualTo(1);
        }
        assertThat(value(engine.run("out", "SELECT c FROM staging.src"))).isEqualTo("7");
    }

    @Test
    void dropForgetsSourcesAndPipelines() {
        engine.stage("src", request(Optional.empty()), new Numbers(10), StageListener.NONE);
        engine.run("out", "SELECT 1 AS one");

        engine.drop("src");
        engine.drop("out");
        engine.drop("never");

        assertThat(value(engine.run(
                        "n",
                        "SELECT (SELECT count(*) FROM duckdb_tables()) + (SELECT count(*) FROM duckdb_views()"
                                + " WHERE NOT internal)")))
                .as("the table this very query makes, and no other")
                .isEqualTo("1");
    }

    private StagedSource scan(ReadRequest request, String select) {
        try (Connection connection = engine.connect()) {
            return engine.stage("src", request, new SliceRead.DuckScan(connection, select), StageListener.NONE);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private String value(Staged staged) {
        try (Connection connection = engine.connect();
                var result = connection.createStatement().executeQuery("SELECT * FROM " + staged.relation())) {
            result.next();
            return result.getString(1);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static Cursor id() {
        return new Cursor("id", CursorType.of(CursorType.Kind.BIGINT));
    }

    private static ReadRequest request(Optional<Cursor> cursor) {
        return new ReadRequest(
                new Entity.Table(TableName.parse("t")),
                List.of(new Column("id", "BIGINT"), new Column("at", "TIMESTAMP")),
                cursor);
    }

    /** One text, again and again. */
    static final class Texts implements SliceRead.Vectors {

        private final byte[] text;
        private int left;

        Texts(int rows, byte[] text) {
            this.left = rows;
            this.text = text;
        }

        @Override
        public List<WireColumn> columns() {
            return List.of(new WireColumn("s", Wire.VARCHAR, "%s"));
        }

        @Override
        public int fill(ColumnWriter writer) {
            int row = 0;
            while (row < writer.capacity() && left > 0) {
                writer.setUtf8(0, row, text);
                row++;
                left--;
            }
            return row;
        }
    }
}
