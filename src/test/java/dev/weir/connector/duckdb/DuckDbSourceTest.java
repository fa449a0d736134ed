package dev.weir.connector.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connector.ConnectionSettings;
import dev.weir.connector.Connector;
import dev.weir.connector.Entity;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.Snapshot;
import dev.weir.connector.SourceColumn;
import dev.weir.connector.SourceValuesKit;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorType;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DuckDbSourceTest extends SourceValuesKit {

    @Override
    protected Connector connector() {
        return new DuckDbConnector(Clock.systemUTC());
    }

    private DuckDbSystem system() {
        return new DuckDbSystem(folder, engine);
    }

    @Override
    protected ConnectionSettings settings() {
        return system().settings();
    }

    @Override
    protected void execute(String sql) {
        system().execute(sql);
    }

    @Override
    protected List<String> query(String sql) {
        return system().query(sql);
    }

    @Override
    protected Optional<String> typeName(String duckType) {
        return Optional.of(duckType);
    }

    @Override
    protected String endlessQuery() {
        return "SELECT sum(a.range * b.range)::BIGINT AS n FROM range(10_000_000) a, range(10_000_000) b"
                + " WHERE (a.range + b.range) % 7 = 3";
    }

    @Override
    protected boolean hasInfinity(String duckType) {
        return CursorType.named(duckType).orElseThrow().isTime();
    }

    @ParameterizedTest
    @CsvSource({"TIMESTAMP_S, 0", "TIMESTAMP_MS, 3", "TIMESTAMP, 6", "TIMESTAMP WITH TIME ZONE, 6", "TIMESTAMP_NS, 9"})
    void tellsHowManyDigitsOfASecondAColumnHolds(String type, int digits) {
        createTable("t", "at", type);

        assertThat(source.describe(table("t")))
                .extracting(SourceColumn::fractionDigits)
                .containsExactly(digits);
    }

    /** Position {@code t} stands for its whole microsecond, so the row a nanosecond above it is not read again. */
    @Test
    void nanosecondsBelongToTheirWholeMicrosecond() {
        execute("CREATE TABLE t AS SELECT make_timestamp_ns(n) AS at FROM (VALUES (-1001), (-1000), (-1), (0), (1),"
                + " (999), (1000), (1999), (2000)) v(n)");
        CursorType type = CursorType.of(CursorType.Kind.TIMESTAMP);
        ReadRequest request = request(table("t"), cursor("at", "TIMESTAMP_NS"), "at", "TIMESTAMP_NS");

        assertNanos(request, CursorRange.above(type.units(-2), type.units(-1)), "-1000", "-1");
        assertNanos(request, CursorRange.above(type.units(-1), type.units(0)), "0", "1", "999");
        assertNanos(request, CursorRange.above(type.units(0), type.units(1)), "1000", "1999");
        assertNanos(request, CursorRange.startingAt(type.units(-2), type.units(-2)), "-1001");
        assertNanos(
                request,
                CursorRange.startingAt(type.least(), type.greatest()),
                "-1001",
                "-1000",
                "-1",
                "0",
                "1",
                "999",
                "1000",
                "1999",
                "2000");
        try (Snapshot snapshot = source.open(request)) {
            assertThat(snapshot.lowest(CursorRange.above(type.units(0), type.units(5))))
                    .contains(type.units(1));
            assertThat(snapshot.lowest(CursorRange.above(type.least(), type.greatest())))
                    .contains(type.units(-2));
        }
    }

    private void assertNanos(ReadRequest request, CursorRange range, String... nanos) {
        Read read = read(source, request, Optional.of(range));
        assertThat(ask("SELECT epoch_ns(\"at\") FROM " + read.staged().relation() + " ORDER BY 1"))
                .containsExactly(nanos);
        assertThat(read.staged().max())
                .contains(CursorType.of(CursorType.Kind.TIMESTAMP)
                        .units(Math.floorDiv(Long.parseLong(nanos[nanos.length - 1]), 1_000)));
    }

    @ParameterizedTest
    @CsvSource({"TIMESTAMP_S, 1000000", "TIMESTAMP_MS, 1000"})
    void coarseColumnsAreComparedAsTheyAre(String type, long unit) {
        execute("CREATE TABLE t AS SELECT CAST(make_timestamp(n * " + unit + ") AS " + type
                + ") AS at FROM (VALUES (-2), (-1), (0), (1), (2)) v(n)");
        CursorType cursor = CursorType.of(CursorType.Kind.TIMESTAMP);
        ReadRequest request = request(table("t"), cursor("at", type), "at", type);

        for (long off : new long[] {0, 1, unit - 1}) {
            CursorRange range = CursorRange.above(cursor.units(-2 * unit + off), cursor.units(unit + off));
            assertThat(read(source, request, Optional.of(range)).staged().rows())
                    .isEqualTo(3);
        }
        assertThat(read(
                                source,
                                request,
                                Optional.of(CursorRange.startingAt(cursor.units(-unit - 1), cursor.units(unit - 1))))
                        .staged()
                        .rows())
                .isEqualTo(2);
        assertThat(read(source, request, Optional.of(CursorRange.startingAt(cursor.least(), cursor.greatest())))
                        .staged()
                        .rows())
                .isEqualTo(5);
    }

    @Test
    void nestedAndRareTypesPassAsTheyAre() {
        execute("CREATE TYPE mood AS ENUM ('ok', 'so so')");
        execute("CREATE TABLE t AS SELECT [1, NULL] AS l, {'a': 1, 'b': ['x']} AS s, MAP {'k': 1.5} AS m,"
                + " 'so so'::mood AS e, 1::HUGEINT AS h, INTERVAL 1 MONTH AS i, '101'::BIT AS b, [1, 2]::INTEGER[2] AS a,"
                + " union_value(n := 5) AS u, '{\"j\": null}'::JSON AS j, TIME '24:00:00' AS late");

        Read read =
                read(source, new ReadRequest(table("t"), all(source, table("t")), Optional.empty()), Optional.empty());

        assertThat(read.rows())
                .containsExactly(
                        "[1, NULL]|{'a': 1, 'b': [x]}|{k=1.5}|so so|1|1 month|101|[1, 2]|5|{\"j\": null}|24:00:00");
    }

    @Test
    void viewsAreReadAndTheirNamesMeanTheFile() {
        execute("CREATE SCHEMA s");
        execute("CREATE TABLE s.t AS SELECT 1 AS id");
        execute("CREATE VIEW v AS SELECT id FROM s.t");

        assertThat(read(source, request(table("v"), Optional.empty(), "id", "INTEGER"), Optional.empty())
                        .rows())
                .containsExactly("1");
        assertThat(read(source, request(table("s.t"), Optional.empty(), "id", "INTEGER"), Optional.empty())
                        .rows())
                .containsExactly("1");
    }

    @Test
    void aMissingTableIsToldWhatTheFileHolds() {
        execute("CREATE TABLE orders (id INTEGER)");

        assertThatThrownBy(() -> source.describe(table("ORDERS"))).hasMessageContaining("main.orders");
        assertThatThrownBy(() -> source.describe(table("nope"))).hasMessageContaining("the file holds orders");
        assertThatThrownBy(() -> source.describe(table("a.b.c"))).hasMessageContaining("three parts");
    }

    @Test
    void aMissingFileIsAnErrorAndIsNotCreated() {
        ConnectionSettings missing =
                new ConnectionSettings("sys", Map.of(DuckDbConnector.PATH, "missing.duckdb"), folder, false);

        try (dev.weir.connector.Source nowhere = connector().source(missing, engine)) {
            assertThatThrownBy(() -> nowhere.describe(table("t"))).hasMessageContaining("WR0501 sys: there is no file");
        }
        assertThat(folder.resolve("missing.duckdb")).doesNotExist();
    }

    @Test
    void aQueryIsOneSelectAndNothingElseIsRun() {
        execute("CREATE TABLE t AS SELECT 1 AS id");

        for (String query : List.of("SELECT 1) q; DELETE FROM t; SELECT * FROM (SELECT 1", "DELETE FROM t", "")) {
            assertThatThrownBy(() -> source.describe(new Entity.Query("sly", query)))
                    .hasMessageContaining("WR0501 sys.sly");
        }
        assertThat(query("SELECT count(*) FROM t")).containsExactly("1");
    }

    @Test
    void anImpossibleCastFailsWithTheValueItMeets() {
        execute("CREATE TABLE t AS SELECT true AS b");

        assertThatThrownBy(() -> read(source, request(table("t"), Optional.empty(), "b", "DATE"), Optional.empty()))
                .hasMessageContaining("WR0524")
                .hasMessageContaining("column b: true is no exact DATE");
    }
}
