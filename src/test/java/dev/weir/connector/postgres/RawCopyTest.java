package dev.weir.connector.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connector.Column;
import dev.weir.connector.Entity;
import dev.weir.connector.RawPick;
import dev.weir.connector.RawRefusedException;
import dev.weir.connector.RawRows;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.Sink;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.SinkTransaction.Written;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.Snapshot;
import dev.weir.connector.Source;
import dev.weir.connector.Staged;
import dev.weir.connector.TableName;
import dev.weir.connector.postgres.GoldenTypes.Value;
import dev.weir.engine.StageListener;
import dev.weir.slicing.Cursor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that go from one Postgres into another as they come: which do, what arrives, and what sends them the other way. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RawCopyTest {

    private static final TableName INTO = TableName.parse("into_t");
    private static final SinkWrite MERGE = new SinkWrite.Merge(List.of("id"), Optional.empty(), false);
    private static final SinkWrite NEWEST = new SinkWrite.Merge(List.of("id"), Optional.of("n"), false);

    private final List<RawRows> opened = new ArrayList<>();
    private Path spill;
    private Bench bench;

    @BeforeAll
    void start(@TempDir Path bench) {
        this.bench = new Bench(bench);
        this.spill = bench.resolve("raw");
        this.bench.database.execute(
                "CREATE EXTENSION citext",
                "CREATE TYPE mood AS ENUM ('sad', 'über ok')",
                "CREATE TYPE pair AS (a int, b text)",
                "CREATE DOMAIN cents AS numeric(9,2) CHECK (value >= 0)",
                "CREATE DOMAIN given AS text NOT NULL DEFAULT ''",
                "CREATE DOMAIN numbers AS int[]");
    }

    @AfterEach
    void letGo() {
        opened.forEach(RawRows::close);
        opened.clear();
    }

    @AfterAll
    void stop() {
        bench.close();
    }

    /** The table from_t, and another of the same columns or of others. */
    private void tables(String from, String into, String... inserts) {
        bench.database.execute(
                "DROP TABLE IF EXISTS from_t, into_t",
                "CREATE TABLE from_t (" + from + ")",
                "CREATE TABLE into_t (" + into + ")");
        bench.database.execute(inserts);
    }

    private Optional<RawRows> read(String cursor, String type, Column... columns) {
        try (Source source = bench.source()) {
            Entity entity = Bench.table("from_t");
            List<Column> wanted = columns.length > 0 ? List.of(columns) : Bench.natural(source, entity);
            Cursor by = Bench.cursor(cursor, type);
            try (Snapshot snapshot = source.open(new ReadRequest(entity, wanted, Optional.of(by)))) {
                Optional<RawRows> rows = snapshot.readRaw(Bench.all(by), spill, count -> {});
                rows.ifPresent(opened::add);
                return rows;
            }
        }
    }

    private RawRows read() {
        return read("id", "integer").orElseThrow();
    }

    /** All columns of the source's table by their own names, or some of them by others. */
    private Staged picked(RawRows rows, Map<String, String> names) {
        Map<String, String> types = new LinkedHashMap<>();
        try (Source source = bench.source()) {
            Bench.natural(source, Bench.table("from_t")).forEach(column -> types.put(column.name(), column.type()));
        }
        Map<String, String> all = new LinkedHashMap<>(names);
        if (names.isEmpty()) {
            types.keySet().forEach(name -> all.put(name, name));
        }
        List<Column> columns = new ArrayList<>();
        all.forEach((name, column) -> columns.add(new Column(name, types.get(column))));
        RawPick pick = new RawPick(rows, all, () -> {
            throw new AssertionError("nobody asks for them decoded");
        });
        return new Staged("none", columns, rows.rows(), Optional.of(pick), Set.of());
    }

    private Written write(SinkWrite how, Staged rows) {
        try (Sink sink = bench.connector.sink(bench.database.settings(), bench.engine);
                SinkTransaction transaction = sink.begin()) {
            Written written = transaction.write(INTO, rows, how);
            transaction.commit();
            return written;
        }
    }

    private List<String> into() {
        return bench.database.rows("SELECT * FROM into_t ORDER BY 1");
    }

    @Test
    void everyValueOfTheTypesThatGoRawArrivesByteForByte() {
        List<String> raw = new ArrayList<>();
        for (GoldenTypes type : GoldenTypes.all()) {
            List<String> inserts = new ArrayList<>();
            for (Value value : type.values()) {
                inserts.add("INSERT INTO from_t VALUES (" + inserts.size() + ", " + value.sql() + ")");
            }
            if (!type.name().equals("given")) {
                inserts.add("INSERT INTO from_t VALUES (" + inserts.size() + ", NULL)");
            }
            String columns = "id int PRIMARY KEY, v " + type.name();
            tables(columns, columns, inserts.toArray(String[]::new));
            Optional<RawRows> rows = read("id", "integer");
            if (rows.isPresent() && goes(rows.get())) {
                raw.add(type.name());
                assertThat(BinaryRows.of(bench.database, "SELECT * FROM into_t ORDER BY id"))
                        .as(type.name())
                        .isEqualTo(BinaryRows.of(bench.database, "SELECT * FROM from_t ORDER BY id"));
            } else {
                assertThat(into()).isEmpty();
            }
        }
        assertThat(raw)
                .contains("boolean", "numeric(12,2)", "citext", "text", "bytea", "timestamp(3)", "jsonb", "integer[]")
                .doesNotContain(
                        "numeric", "money", "char(5)", "varchar(5)", "mood", "xml", "bit(3)", "inet", "name", "pair");
    }

    private boolean goes(RawRows rows) {
        try {
            assertThat(write(MERGE, picked(rows, Map.of()))).isEqualTo(new Written(rows.rows(), 0));
            return true;
        } catch (RawRefusedException e) {
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "varchar(3)    | text           | true",
                "text          | varchar(3)     | false",
                "citext        | text           | true",
                "numeric(12,2) | numeric        | true",
                "numeric(12,2) | numeric(12,3)  | false",
                "numeric       | numeric(12,3)  | false",
                "timestamp(3)  | timestamp      | true",
                "timestamp     | timestamp(3)   | false",
                "timestamp     | timestamptz    | false",
                "int           | bigint         | false",
                "json          | jsonb          | false",
                "int[]         | int[]          | true",
                "cents         | numeric(9,2)   | true",
                "mood[]        | mood[]         | false",
            })
    void bytesGoIntoAColumnThatTakesEveryOneOfThemAsItIs(String from, String to, boolean raw) {
        tables("id int, v " + from, "id int PRIMARY KEY, v " + to, "INSERT INTO from_t VALUES (1, NULL)");
        assertThat(read("id", "integer").filter(this::goes).isPresent()).isEqualTo(raw);
    }

    @Test
    void columnsThatAreDeclaredAsAnotherTypeAreLookedAt() {
        tables("id int, v bigint", "id int PRIMARY KEY, v bigint");
        Column id = new Column("id", "INTEGER");
        assertThat(read("id", "integer", id, new Column("v", "BIGINT"))).isPresent();
        assertThat(read("id", "integer", id, new Column("v", "INTEGER"))).isEmpty();
    }

    @Test
    void columnsArePickedInAnyOrderAndUnderOtherNamesAndOftenerThanOnce() {
        tables(
                "id int, a text, b text, c int",
                "id int PRIMARY KEY, x text, y int, z int",
                "INSERT INTO from_t VALUES (1, 'a', 'é', 7), (2, '', NULL, NULL)");
        RawRows rows = read();
        Map<String, String> names = new LinkedHashMap<>();
        names.put("y", "c");
        names.put("id", "id");
        names.put("x", "b");
        names.put("z", "c");

        assertThat(write(MERGE, picked(rows, names))).isEqualTo(new Written(2, 0));
        assertThat(into()).containsExactly("1|é|7|7", "2|null|null|null");
        assertThat(rows.nulls("c")).isEqualTo(1);
        assertThat(rows.nulls("id")).isZero();
    }

    @Test
    void aHiddenCursorStaysBehind() {
        tables("id int, a text, c date", "id int PRIMARY KEY, a text", "INSERT INTO from_t VALUES (1, 'a', 'epoch')");
        RawRows rows = read("c", "date", new Column("id", "INTEGER"), new Column("a", "VARCHAR"))
                .orElseThrow();
        Map<String, String> names = new LinkedHashMap<>();
        names.put("id", "id");
        names.put("a", "a");

        write(MERGE, picked(rows, names));
        assertThat(into()).containsExactly("1|a");
    }

    @ParameterizedTest
    @CsvSource({
        "smallint,    smallint,    -5,                          7",
        "bigint,      bigint,      -9223372036854775808,        -7",
        "date,        date,        0044-03-15 BC,               2026-02-03",
        "timestamp,   timestamp,   1969-12-31 23:59:59.999999,  2026-02-03 04:05:06.000001",
        "timestamptz, timestamptz, 1969-12-31 23:59:59.999999Z, 2026-02-03 04:05:06.000001Z"
    })
    void theGreatestCursorIsThatOfTheSameRowsDecoded(String type, String cursor, String low, String high) {
        tables(
                "id int, c " + type,
                "id int",
                "INSERT INTO from_t VALUES (1, '" + low + "'), (2, '" + high + "'), (3, NULL)",
                type.contains("int") ? "SELECT 1" : "INSERT INTO from_t VALUES (4, 'infinity'), (5, '-infinity')");
        try (Source source = bench.source();
                RawRows raw = read("c", cursor).orElseThrow()) {
            Cursor by = Bench.cursor("c", cursor);
            ReadRequest request = new ReadRequest(
                    Bench.table("from_t"), Bench.natural(source, Bench.table("from_t")), Optional.of(by));
            assertThat(raw.max()).isPresent();
            assertThat(raw.max())
                    .isEqualTo(bench.stage(source, request, Optional.of(Bench.all(by)))
                            .max());
            assertThat(raw.max())
                    .isEqualTo(bench.engine
                            .stage("again", request, raw.decoded(), StageListener.NONE)
                            .max());
        }
    }

    @Test
    void noRowsAreAHeaderAndAnEndMark() {
        tables("id int", "id int PRIMARY KEY");
        RawRows rows = read();
        assertThat(rows.rows()).isZero();
        assertThat(rows.max()).isEmpty();
        assertThat(write(new SinkWrite.Append(), picked(rows, Map.of()))).isEqualTo(new Written(0, 0));
    }

    @Test
    void manyBytesWaitInAFileAndAreWrittenAsOftenAsWanted() throws IOException {
        tables(
                "id int, v text",
                "id int PRIMARY KEY, v text",
                "INSERT INTO from_t SELECT i, repeat(md5(i::text), 100000) FROM generate_series(1, 12) i");
        try (RawRows rows = read()) {
            assertThat(kept()).isEqualTo(1);
            Staged all = picked(rows, Map.of());
            assertThat(write(MERGE, all)).isEqualTo(new Written(12, 0));
            Map<String, String> turned = new LinkedHashMap<>();
            turned.put("v", "v");
            turned.put("id", "id");
            assertThat(write(MERGE, picked(rows, turned))).isEqualTo(new Written(12, 0));
            assertThat(bench.database.rows("SELECT count(*) FROM from_t JOIN into_t USING (id, v)"))
                    .containsExactly("12");
        }
        assertThat(kept()).isZero();
    }

    private long kept() throws IOException {
        try (Stream<Path> files = Files.list(spill)) {
            return files.count();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"id int PRIMARY KEY, n int", "id int, n int", "id int PRIMARY KEY, n int CHECK (n < 9)"})
    void rowsWhoseKeysComeTwiceAndRowsThatAreRefusedAreNotWritten(String columns) {
        tables("id int, n int", columns, "INSERT INTO from_t VALUES (1, 9), (2, 2), (1, 9)");
        bench.database.execute("INSERT INTO into_t VALUES (2, 1)");
        Staged rows = picked(read(), Map.of());
        assertThatThrownBy(() -> write(NEWEST, rows)).isInstanceOf(RawRefusedException.class);
        assertThat(into()).containsExactly("2|1");
    }

    @Test
    void rowsOfOneKeyThatAreOlderThanTheStoredOneAreFoundAsWell() {
        tables("id int, n int", "id int PRIMARY KEY, n int", "INSERT INTO from_t VALUES (1, 3), (1, 4)");
        bench.database.execute("INSERT INTO into_t VALUES (1, 5)");
        Staged rows = picked(read(), Map.of());
        assertThatThrownBy(() -> write(NEWEST, rows)).isInstanceOf(RawRefusedException.class);
    }

    @Test
    void aStoredRowThatIsNewerIsKeptAndCounted() {
        tables("id int, n int", "id int PRIMARY KEY, n int", "INSERT INTO from_t VALUES (1, 4), (2, 4), (3, NULL)");
        bench.database.execute("INSERT INTO into_t VALUES (1, 5), (3, 1)");
        assertThat(write(NEWEST, picked(read(), Map.of()))).isEqualTo(new Written(1, 2));
        assertThat(into()).containsExactly("1|5", "2|4", "3|1");
    }
}
