package dev.weir.connector.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connector.Column;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.Sink;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.Source;
import dev.weir.connector.Staged;
import dev.weir.connector.TableName;
import dev.weir.engine.DuckEngine;
import dev.weir.engine.EngineSettings;
import dev.weir.engine.StagedSource;
import dev.weir.testing.Jvm;
import dev.weir.testing.Postgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Out of Postgres and into it again: nothing may differ. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RoundTripTest {

    private static final String VALUES = "INSERT INTO a VALUES"
            + " (1, true, -32768, -2147483648, -9223372036854775808, 1e-45, 5e-324, 9999999999.99, 0.0000000001, '', '\\x',"
            + "  '4713-01-01 BC', '00:00:00', '4713-11-24 00:00:00 BC', '4713-11-24 00:00:00+00 BC',"
            + "  '00000000-0000-0000-0000-000000000000', '{}', '[]', 'ok', 'ab', 'x', 1.10),"
            + " (2, false, 32767, 2147483647, 9223372036854775807, 'NaN', '-Infinity', -0.01, -9999999999999999999999999999.9999999999,"
            + "  E'l1\\r\\nl2 \"q\" \\\\ 日本 👍', '\\x00ff', 'infinity', '24:00:00', 'infinity', '-infinity',"
            + "  'ffffffff-ffff-ffff-ffff-ffffffffffff', '{\"b\":  1, \"a\": 1}', '{\"z\": 1e2}', 'sad', 'abcde', 'yyy', 123456789012345678901234567890.5),"
            + " (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),"
            + " (4, true, 0, 0, 0, -0.0, -0.0, 0, 0, ' ', '\\x41', '-infinity', '23:59:59.999999', '294247-01-10 04:00:54.775806',"
            + "  '2026-10-25 00:30:00+00', '80000000-0000-0000-0000-000000000000', 'null', 'null', 'ok', '', '', 0),"
            + " (5, true, 1, 1, 1, 1, 1, 10000, 10000, repeat('ä', 70000), decode(repeat('00ff10', 70000), 'hex'), '1969-12-31', '12:00',"
            + "  '1969-12-31 23:59:59.999999', '1969-12-31 23:59:59.999999+00', '80000000-0000-0000-0000-000000000000', '1', '2', 'ok', 'b', 'c', -1)";

    @Test
    void everyValueIsTheSameAfterwards(@TempDir Path folder) {
        try (Bench bench = new Bench(folder)) {
            String columns =
                    "(id int PRIMARY KEY, bo boolean, i2 smallint, i4 int, i8 bigint, f4 real, f8 double precision,"
                            + " n numeric(12,2), n38 numeric(38,10), t text, b bytea, d date, ti time, ts timestamp, tz timestamptz,"
                            + " u uuid, j json, jb jsonb, e mood, c char(5), vc varchar(3), un ";
            bench.database.execute(
                    "CREATE TYPE mood AS ENUM ('sad', 'ok')",
                    "CREATE TABLE a " + columns + "numeric)",
                    VALUES,
                    "CREATE TABLE b " + columns + "text)");
            StagedSource staged = bench.stage(Bench.table("a"));
            assertThat(staged.rows()).isEqualTo(5);
            write(bench, "b", staged);
            write(bench, "b", staged);

            assertThat(bench.database.rows("SELECT count(*) FROM b")).containsExactly("5");
            assertThat(bench.database.rows("SELECT * FROM a ORDER BY 1"))
                    .isEqualTo(bench.database.rows("SELECT * FROM b ORDER BY 1"));
            bench.database.execute("DROP TABLE b");
            create(bench, "b", staged);
            assertThat(bench.database.rows("SELECT " + shown() + " FROM a ORDER BY 1"))
                    .isEqualTo(bench.database.rows("SELECT " + shown() + " FROM b ORDER BY 1"));
        }
    }

    private static String shown() {
        return "id, bo, i2, i4, i8, f4, f8, n, n38, t, b, d, ti, ts, tz, u, j, jb::text, e::text, c::text, vc, un::text";
    }

    private static void write(Bench bench, String table, StagedSource staged) {
        try (Sink sink = bench.connector.sink(bench.database.settings(), bench.engine);
                SinkTransaction transaction = sink.begin()) {
            SinkWrite how = new SinkWrite.Merge(List.of("id"), Optional.empty(), false);
            Staged rows = new Staged(staged.relation(), staged.columns(), staged.rows());
            transaction.write(TableName.parse(table), rows, how);
            transaction.commit();
        }
    }

    private static void create(Bench bench, String table, StagedSource staged) {
        try (Sink sink = bench.connector.sink(bench.database.settings(), bench.engine);
                SinkTransaction transaction = sink.begin()) {
            transaction.create(TableName.parse(table), staged.columns(), List.of());
            transaction.write(
                    TableName.parse(table),
                    new Staged(staged.relation(), staged.columns(), staged.rows()),
                    new SinkWrite.Append());
            transaction.commit();
        }
    }

    @Test
    void aRowOfFiftyMegabytesPassesInASmallHeapBothWays(@TempDir Path folder) throws Exception {
        Postgres.Database database = Postgres.fresh();
        database.execute(
                "CREATE TABLE wide (id bigint, t text, b bytea)",
                "INSERT INTO wide SELECT g, repeat('x', 50000000), NULL FROM generate_series(1, 3) g",
                "INSERT INTO wide SELECT g, NULL, decode(repeat('0011223344', 10000000), 'hex') FROM generate_series(4, 6) g",
                "CREATE TABLE copy (id bigint PRIMARY KEY, t text, b bytea)");

        assertThat(child("wide", folder, database)).isEqualTo("6 rows");
        assertThat(database.value("SELECT count(*) FROM wide JOIN copy USING (id)"
                        + " WHERE wide.t IS NOT DISTINCT FROM copy.t AND wide.b IS NOT DISTINCT FROM copy.b"))
                .isEqualTo("6");
    }

    @Test
    void manyRowsPassInASmallHeapBothWays(@TempDir Path folder) throws Exception {
        Postgres.Database database = Postgres.fresh();
        database.execute(
                "CREATE TABLE many AS SELECT g::bigint AS id, md5(g::text) AS t, '\\x0011'::bytea AS b FROM generate_series(1, 500000) g",
                "CREATE TABLE copy (id bigint PRIMARY KEY, t text, b bytea)");

        assertThat(child("many", folder, database)).isEqualTo("500000 rows");
        assertThat(database.value("SELECT count(*) FROM many JOIN copy USING (id, t, b)"))
                .isEqualTo("500000");
    }

    private static String child(String table, Path folder, Postgres.Database database)
            throws IOException, InterruptedException {
        List<String> command = Jvm.command(List.of("-Xmx256m"), RoundTripTest.class);
        command.addAll(List.of(table, folder.toString(), database.name(), Integer.toString(database.port())));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output.strip();
    }

    /** What the child processes do: one table is copied into the table named copy. */
    public static void main(String[] arguments) {
        Map<String, String> options =
                Map.of("host", "localhost", "port", arguments[3], "database", arguments[2], "user", "postgres");
        var settings = new dev.weir.connector.ConnectionSettings("pg", options, Path.of("."), true);
        PostgresConnector connector = new PostgresConnector();
        try (DuckEngine engine = DuckEngine.start(EngineSettings.spillingTo(Path.of(arguments[1], "spill")));
                Source source = connector.source(settings, engine);
                Sink sink = connector.sink(settings, engine)) {
            ReadRequest request = new ReadRequest(
                    Bench.table(arguments[0]),
                    List.of(new Column("id", "BIGINT"), new Column("t", "VARCHAR"), new Column("b", "BLOB")),
                    Optional.empty());
            StagedSource staged;
            try (var snapshot = source.open(request)) {
                staged = engine.stage("rows", request, snapshot.read(Optional.empty()), rows -> {});
            }
            try (SinkTransaction transaction = sink.begin()) {
                transaction.write(
                        TableName.parse("copy"),
                        new Staged(staged.relation(), staged.columns(), staged.rows()),
                        new SinkWrite.Merge(List.of("id"), Optional.empty(), false));
                transaction.commit();
            }
            System.out.println(staged.rows() + " rows");
        }
    }
}
