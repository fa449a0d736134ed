package dev.weir.connector.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connector.Column;
import dev.weir.connector.Entity;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.Snapshot;
import dev.weir.connector.Source;
import dev.weir.engine.StagedSource;
import dev.weir.fault.RunException;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Sample;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranges of cursors: which rows they hold, and what is asked of the server for them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CursorsTest {

    private Bench bench;

    @BeforeAll
    void start(@TempDir Path folder) {
        bench = new Bench(folder);
    }

    @AfterAll
    void stop() {
        bench.close();
    }

    /** What a snapshot says of a range. */
    private String look(Cursor cursor, CursorRange range) {
        ReadRequest request = request(cursor);
        try (Source source = bench.source();
                Snapshot snapshot = source.open(request)) {
            String answers =
                    snapshot.lowest(range).map(CursorValue::toString).orElse("-") + " " + snapshot.count(range, 1_000)
                            + " " + snapshot.countNull(1_000) + " " + snapshot.countInfinite(1_000);
            bench.engine.stage("rows", request, snapshot.read(Optional.of(range)), rows -> {});
            return answers + " "
                    + bench.duck("SELECT count(*) FROM staging.rows").get(0);
        }
    }

    private static ReadRequest request(Cursor cursor) {
        return new ReadRequest(Bench.table("t"), List.of(new Column("x", "INTEGER")), Optional.of(cursor));
    }

    private void table(String type, String... values) {
        bench.database.execute("DROP TABLE IF EXISTS t", "CREATE TABLE t (c " + type + ", x int DEFAULT 7)");
        for (String value : values) {
            bench.database.execute(
                    "INSERT INTO t VALUES (" + (value.equals("null") ? "NULL" : "'" + value + "'") + ")");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "bigint; bigint; -9223372036854775808 -1 0 9223372036854775807; -9223372036854775808 4 0 0 4",
                "smallint; smallint; -32768 32767; -32768 2 0 0 2",
                "integer; bigint; -2147483648 2147483647 null; -2147483648 2 1 0 2",
                "integer; decimal(18,3); 1 2; 1 2 0 0 2",
                "numeric(20,0); ubigint; 0 18446744073709551615; 0 2 0 0 2",
                "numeric(30,6); decimal(30,6); 202109171437040633984411.000001 -1.5 NaN null; -1.5 2 1 1 2",
                "numeric; decimal(38,10); 0.1 Infinity -Infinity NaN; 0.1 1 0 3 1",
                "date; date; infinity -infinity 5874897-12-31 2026-01-01 0001-01-01; 0001-01-01 3 0 2 3",
                "timestamp; timestamp; infinity -infinity 2026-01-01 null 294276-12-31; 2026-01-01T00:00:00.000000 1 1 3 1",
                "timestamptz; timestamptz; infinity -infinity 2026-01-01T00:00:00+02; 2025-12-31T22:00:00.000000Z 1 0 2 1",
                "timestamptz; timestamp; 2026-01-01T00:00:00+02; 2025-12-31T22:00:00.000000 1 0 0 1",
            })
    void theWholeRangeOfATypeHoldsEveryFiniteRow(String type, String cursorType, String values, String expected) {
        table(type, values.split(" "));
        Cursor cursor = Bench.cursor("c", cursorType);

        assertThat(look(cursor, Bench.all(cursor))).isEqualTo(expected);
    }

    @Test
    void yearsBeforeChristAreInRangesToo() {
        table("date", "4713-01-01 BC", "0044-03-15 BC", "0001-01-01");
        Cursor cursor = Bench.cursor("c", "date");
        CursorRange range = CursorRange.above(
                cursor.type().read("-4712-01-01"), cursor.type().read("0001-01-01"));

        assertThat(look(cursor, range)).isEqualTo("-0043-03-15 2 0 0 2");
    }

    @ParameterizedTest
    @CsvSource({
        "bigint, bigint, 10, 20, 11 2",
        "'numeric(10,2)', 'decimal(10,2)', 10, 20, 11 2",
        "integer, 'decimal(10,1)', 10.5, 19.5, 11 1",
        "smallint, bigint, 10, 9223372036854775807, 11 3",
        "smallint, bigint, -9223372036854775808, 10, 10 1",
        "smallint, bigint, 40000, 50000, - 0",
        "integer, 'decimal(10,1)', 20.1, 20.9, - 0",
    })
    void theLowerEndIsOutsideAndTheUpperInside(
            String type, String cursorType, String from, String to, String expected) {
        table(type, "10", "11", "20", "21");
        Cursor cursor = Bench.cursor("c", cursorType);
        CursorRange range =
                CursorRange.above(cursor.type().parse(from), cursor.type().parse(to));

        assertThat(look(cursor, range)).startsWith(expected + " ");
    }

    @Test
    void aTimeStandsForItsWholeMicrosecond() {
        table("timestamp", "2026-01-01 00:00:00.000001", "2026-01-01 00:00:00.000002", "2026-01-01 00:00:00.000003");
        Cursor cursor = Bench.cursor("c", "timestamp");
        CursorRange range = CursorRange.above(
                cursor.type().parse("2026-01-01T00:00:00.000001"), cursor.type().parse("2026-01-01T00:00:00.000002"));

        assertThat(look(cursor, range)).isEqualTo("2026-01-01T00:00:00.000002 1 0 0 1");
    }

    @Test
    void theTypesEndIsPartOfTheLastWindow() {
        table("timestamp", "294247-01-10 04:00:54.775806", "infinity");
        Cursor cursor = Bench.cursor("c", "timestamp");
        CursorRange range = CursorRange.above(
                cursor.type().parse("2026-01-01"), cursor.type().greatest());

        assertThat(look(cursor, range)).isEqualTo("+294247-01-10T04:00:54.775806 1 0 1 1");
    }

    @Test
    void anEmptyRangeIsAskedForAndHoldsNothing() {
        table("bigint", "1");
        Cursor cursor = Bench.cursor("c", "bigint");

        assertThat(look(
                        cursor,
                        CursorRange.above(cursor.type().units(5), cursor.type().units(5))))
                .isEqualTo("- 0 0 0 0");
    }

    @Test
    void rowsThatTheDeclaredCursorCannotReachAreNotPassedOver() {
        table("bigint", "1", "3000000000");
        Cursor cursor = Bench.cursor("c", "integer");

        assertThatThrownBy(() -> look(cursor, Bench.all(cursor)))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0524 pg.t: the cursor c (integer) holds 3000000000");
    }

    @Test
    void countingStopsAtItsLimit() {
        bench.database.execute(
                "DROP TABLE IF EXISTS t", "CREATE TABLE t AS SELECT g AS c, 7 AS x FROM generate_series(1, 100) g");
        Cursor cursor = Bench.cursor("c", "integer");
        try (Source source = bench.source();
                Snapshot snapshot = source.open(request(cursor))) {
            assertThat(snapshot.count(Bench.all(cursor), 7)).isEqualTo(7);
        }
    }

    @Test
    void everythingOfASnapshotComesFromOneInstant() {
        table("bigint", "1", "2");
        Cursor cursor = Bench.cursor("c", "bigint");
        try (Source source = bench.source();
                Snapshot snapshot = source.open(request(cursor))) {
            assertThat(snapshot.count(Bench.all(cursor), 10)).isEqualTo(2);
            bench.database.execute("INSERT INTO t VALUES (0), (3)");
            assertThat(snapshot.lowest(Bench.all(cursor)))
                    .contains(cursor.type().units(1));
            bench.engine.stage("rows", request(cursor), snapshot.read(Optional.of(Bench.all(cursor))), rows -> {});
            assertThat(bench.duck("SELECT count(*) FROM staging.rows")).containsExactly("2");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "TIMESTAMPTZ, made, timestamptz",
        "INT8, (extract(epoch FROM made) * 1000)::bigint, epoch_ms",
        "NUMERIC, extract(epoch FROM made)::numeric, epoch_s",
    })
    void theIndexOnTheCursorIsUsed(PgType.Family family, String value, String cursorType) {
        bench.database.execute(
                "DROP TABLE IF EXISTS t",
                "CREATE TABLE t AS SELECT " + value + " AS c FROM (SELECT timestamptz '2026-01-01+00'"
                        + " + g * interval '1 second' AS made FROM generate_series(1, 50000) g) rows",
                "CREATE INDEX ON t (c)",
                "ANALYZE t");
        CursorType type = CursorType.printed(cursorType).orElseThrow();
        String where = CursorSql.within(
                "\"c\"",
                family,
                CursorRange.above(type.parse("2026-01-01T00:01:00"), type.parse("2026-01-01T00:02:00")));

        assertThat(bench.database.rows("EXPLAIN SELECT * FROM t WHERE " + where))
                .anyMatch(line -> line.contains("Index"));
    }

    @Test
    void numbersThatCountTimeSettleAsTimesDo() {
        table("bigint", "1767225600000");
        try (Source source = bench.source()) {
            assertThat(source.sample(request(Bench.cursor("c", "bigint")))).isInstanceOf(Sample.OfNumbers.class);
            assertThat(source.sample(request(Bench.cursor("c", "epoch_ms")))).isInstanceOf(Sample.OfTimes.class);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "text, bigint",
        "text, epoch_ms",
        "timestamp, epoch_ms",
        "date, timestamp",
        "double precision, bigint",
        "uuid, bigint",
        "timestamp, date"
    })
    void aCursorOfAnotherKindIsRefused(String type, String cursorType) {
        bench.database.execute("DROP TABLE IF EXISTS t", "CREATE TABLE t (c " + type + ", x int)");
        try (Source source = bench.source()) {
            assertThatThrownBy(() -> source.open(request(Bench.cursor("c", cursorType))))
                    .isInstanceOf(RunException.class)
                    .hasMessageContaining("WR0501 pg.t: the column c is a " + type);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Asia/Kolkata, America/Los_Angeles",
        "America/Los_Angeles, Pacific/Kiritimati",
        "Europe/Berlin, Europe/Berlin",
        "Pacific/Kiritimati, Asia/Kolkata",
        "UTC, America/Los_Angeles",
    })
    void noTimeZoneChangesWhatIsRead(String processZone, String sessionZone) {
        String role = "zone_" + processZone.hashCode() % 1000 + "_" + sessionZone.hashCode() % 1000;
        role = role.replace("-", "m");
        bench.database.execute(
                "DROP TABLE IF EXISTS t",
                "CREATE TABLE t (c timestamp, z timestamptz)",
                "INSERT INTO t SELECT timestamp '2026-03-29' + g * interval '30 minutes',"
                        + " timestamptz '2026-10-25 00:00+00' + g * interval '30 minutes' FROM generate_series(1, 48) g",
                "CREATE ROLE " + role + " LOGIN",
                "ALTER ROLE " + role + " SET timezone = '" + sessionZone + "'",
                "ALTER ROLE " + role + " SET datestyle = 'German'",
                "GRANT SELECT ON t TO " + role);
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone(processZone));
        Cursor cursor = Bench.cursor("c", "timestamp");
        try (Source source =
                bench.connector.source(bench.database.settings(java.util.Map.of("user", role)), bench.engine)) {
            ReadRequest request = new ReadRequest(
                    Bench.table("t"),
                    List.of(
                            new Column("c", "TIMESTAMP"),
                            new Column("z", "TIMESTAMP WITH TIME ZONE"),
                            new Column("z", "VARCHAR")),
                    Optional.of(cursor));
            CursorRange range = CursorRange.above(
                    cursor.type().parse("2026-03-29T02:00:00"), cursor.type().parse("2026-03-29T03:30:00"));
            StagedSource staged = bench.stage(source, request, Optional.of(range));
            assertThat(staged.max()).contains(cursor.type().parse("2026-03-29T03:30:00"));
            assertThat(bench.duck("SELECT * FROM staging.rows"))
                    .containsExactly(
                            "2026-03-29 02:30:00|2026-10-25 02:30:00+00|2026-10-25 02:30:00+00",
                            "2026-03-29 03:00:00|2026-10-25 03:00:00+00|2026-10-25 03:00:00+00",
                            "2026-03-29 03:30:00|2026-10-25 03:30:00+00|2026-10-25 03:30:00+00");
        } finally {
            TimeZone.setDefault(before);
        }
    }

    @Test
    void namesAreTakenAsTheyAreSpelled() {
        bench.database.execute(
                "CREATE TABLE \"Orders\" (\"Id\" int, \"createdAt\" timestamptz, \"select\" text, \"a.b\" text,"
                        + " \"日本\" text, \"q\"\"q\" text)",
                "INSERT INTO \"Orders\" VALUES (1, '2026-01-01+00', 's', 'dot', 'jp', 'quote')");
        Entity entity = Bench.table("public.Orders");
        Cursor cursor = Bench.cursor("createdAt", "timestamptz");
        try (Source source = bench.source()) {
            ReadRequest request = new ReadRequest(entity, Bench.natural(source, entity), Optional.of(cursor));
            StagedSource staged = bench.stage(source, request, Optional.of(Bench.all(cursor)));
            assertThat(staged.columns())
                    .extracting(Column::name)
                    .containsExactly("Id", "createdAt", "select", "a.b", "日本", "q\"q");
            assertThat(bench.duck("SELECT * FROM staging.rows"))
                    .containsExactly("1|2026-01-01 00:00:00+00|s|dot|jp|quote");
        }
    }

    @Test
    void theCursorThatNobodyAskedForIsReadAndHidden() {
        bench.database.execute(
                "DROP TABLE IF EXISTS t",
                "CREATE TABLE t (c numeric(10,2), v text)",
                "INSERT INTO t VALUES (1.5, 'a')");
        Cursor cursor = Bench.cursor("c", "decimal(10,2)");
        try (Source source = bench.source()) {
            ReadRequest request =
                    new ReadRequest(Bench.table("t"), List.of(new Column("v", "VARCHAR")), Optional.of(cursor));
            StagedSource staged = bench.stage(source, request, Optional.of(Bench.all(cursor)));
            assertThat(staged.columns()).containsExactly(new Column("v", "VARCHAR"));
            assertThat(staged.max()).contains(cursor.type().parse("1.5"));
        }
    }

    @Test
    void aQueryIsWindowedLikeATable() {
        bench.database.execute(
                "DROP TABLE IF EXISTS t", "CREATE TABLE t AS SELECT g AS id FROM generate_series(1, 100) g");
        Entity entity = new Entity.Query("evens", "SELECT id FROM t WHERE id % 2 = 0; -- the even ones");
        Cursor cursor = Bench.cursor("id", "integer");
        Entity good = new Entity.Query("evens", "SELECT id FROM t WHERE id % 2 = 0 -- the even ones");
        try (Source source = bench.source()) {
            CursorRange range =
                    CursorRange.above(cursor.type().units(10), cursor.type().units(20));
            StagedSource staged = bench.stage(
                    source,
                    new ReadRequest(good, List.of(new Column("id", "INTEGER")), Optional.of(cursor)),
                    Optional.of(range));
            assertThat(staged.rows()).isEqualTo(5);
            assertThatThrownBy(() -> source.describe(entity)).isInstanceOf(RunException.class);
        }
    }
}
