package dev.weir.connector.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connector.Column;
import dev.weir.connector.ConnectionSettings;
import dev.weir.connector.Connector;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.Sink;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.Source;
import dev.weir.connector.Staged;
import dev.weir.connector.TableName;
import dev.weir.connector.sqlite.SqliteConnector;
import dev.weir.engine.StagedSource;
import dev.weir.slicing.OnSchemaChange;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import net.jqwik.api.lifecycle.BeforeTry;

/** Random rows out of Postgres, into SQLite and back: the server finds no difference, in its own text or its bytes. */
class SqliteRoundTripTest {

    private static final int ROWS = 150;
    private static final Path FOLDER = Path.of("target", "sqlite-round-trip");
    private static final String FILE = "lite.sqlite";

    private static Bench bench;

    /**
     * A column of the table.
     *
     * @param type as Postgres spells it
     * @param declared what it is read as; empty: its own type
     * @param value a literal's text
     */
    private record Field(String type, String declared, Function<Random, String> value) {}

    private static final List<Field> FIELDS = List.of(
            new Field("boolean", "", random -> String.valueOf(random.nextBoolean())),
            new Field("smallint", "", random -> String.valueOf((short) random.nextInt())),
            new Field("integer", "", random -> String.valueOf(random.nextInt())),
            new Field("bigint", "", random -> String.valueOf(random.nextLong())),
            new Field("oid", "", random -> Integer.toUnsignedString(random.nextInt())),
            new Field("real", "", random -> real(Float.intBitsToFloat(random.nextInt()))),
            new Field("double precision", "", random -> real(Double.longBitsToDouble(random.nextLong()))),
            new Field("numeric(4,4)", "", random -> decimal(random, 4, 4)),
            new Field("numeric(12,2)", "", random -> decimal(random, 12, 2)),
            new Field("numeric(5,-2)", "varchar", random -> digits(random, 5) + "00"),
            new Field("numeric(38,10)", "", random -> decimal(random, 38, 10)),
            new Field(
                    "numeric", "", random -> random.nextInt(9) == 0 ? "NaN" : decimal(random, 60, random.nextInt(60))),
            new Field("text", "", SqliteRoundTripTest::text),
            new Field("varchar(40)", "", SqliteRoundTripTest::text),
            new Field("character(5)", "", random -> digits(random, 3)),
            new Field("mood", "", random -> random.nextBoolean() ? "sad" : "it's"),
            new Field("bytea", "", SqliteRoundTripTest::bytes),
            new Field("uuid", "", random -> new java.util.UUID(random.nextLong(), random.nextLong()).toString()),
            new Field("date", "", SqliteRoundTripTest::date),
            new Field("time", "", SqliteRoundTripTest::time),
            new Field("timetz", "", random -> time(random) + offset(random)),
            new Field("timestamp", "", random -> date(random) + " " + time(random, 86_400)),
            new Field("timestamp(0)", "timestamp_s", random -> date(random) + " 12:34:56"),
            new Field("timestamptz", "", random -> date(random) + " " + time(random, 86_400) + "+00"),
            new Field("interval", "", SqliteRoundTripTest::interval),
            new Field("json", "", random -> "{\"a\":  " + decimal(random, 40, 20) + ", \"a\": [null]}"),
            new Field("jsonb", "", random -> "{\"b\": " + decimal(random, 40, 20) + "}"),
            new Field("bit varying", "", random -> new BigInteger(70, random)
                    .toString(2)
                    .substring(random.nextInt(2))),
            new Field("money", "", random -> "$" + random.nextInt(100) + ".5"),
            new Field("integer[]", "varchar", random -> list(random, String.valueOf(random.nextInt()))),
            new Field(
                    "text[]",
                    "varchar",
                    random -> list(random, "\"a, \\\"" + text(random).replaceAll("[\"\\\\]", "") + "\"")),
            new Field("int4range", "varchar", random -> "[" + random.nextInt(9) + "," + (9 + random.nextInt(9)) + ")"),
            new Field("inet", "varchar", random -> "10.0.0." + random.nextInt(256) + "/24"),
            new Field("pair", "varchar", random -> "(" + random.nextInt() + ",\"x, " + digits(random, 2) + "\")"),
            new Field("tsvector", "varchar", random -> "'b' 'a':" + (1 + random.nextInt(9))));

    private static String real(double value) {
        return Double.isNaN(value) || value == 0 ? "Infinity" : String.valueOf(value);
    }

    private static String real(float value) {
        return Float.isNaN(value) || value == 0 ? "-Infinity" : String.valueOf(value);
    }

    private static String digits(Random random, int most) {
        return IntStream.rangeClosed(0, random.nextInt(most))
                .mapToObj(i -> String.valueOf(random.nextInt(10)))
                .collect(Collectors.joining());
    }

    private static String decimal(Random random, int precision, int scale) {
        String whole = precision == scale ? "0" : digits(random, precision - scale);
        String fraction = scale == 0 ? "" : "." + digits(random, scale);
        return (random.nextBoolean() ? "-" : "") + whole.replaceFirst("^0+(?=.)", "") + fraction;
    }

    private static String text(Random random) {
        List<String> parts =
                List.of("", " ", "ä", "日本", "😀", "'", "\"", "\\", "\r\n", "\t", "NULL", "007", "1e5", "\u0001");
        return IntStream.range(0, random.nextInt(6))
                .mapToObj(i -> parts.get(random.nextInt(parts.size())))
                .collect(Collectors.joining());
    }

    private static String bytes(Random random) {
        byte[] bytes = new byte[random.nextInt(20)];
        random.nextBytes(bytes);
        return "\\x" + HexFormat.of().formatHex(bytes);
    }

    private static String date(Random random) {
        return LocalDate.of(1 + random.nextInt(9999), 1, 1)
                .plusDays(random.nextInt(365))
                .toString();
    }

    private static String time(Random random) {
        return random.nextInt(9) == 0 ? "24:00:00" : time(random, 86_400);
    }

    private static String time(Random random, int seconds) {
        int second = random.nextInt(seconds);
        return String.format(
                "%02d:%02d:%02d.%06d", second / 3600, second / 60 % 60, second % 60, random.nextInt(1_000_000));
    }

    private static String offset(Random random) {
        return String.format("%s%02d:%02d", random.nextBoolean() ? "+" : "-", random.nextInt(16), random.nextInt(60));
    }

    private static String interval(Random random) {
        return random.nextInt() + " months " + random.nextInt() + " days " + random.nextLong() / 2 + " microseconds";
    }

    private static String list(Random random, String element) {
        List<String> lists = List.of(
                "{}",
                "{NULL}",
                "{" + element + ",NULL}",
                "{{" + element + "},{" + element + "}}",
                "[3:3]={" + element + "}");
        return lists.get(random.nextInt(lists.size()));
    }

    @BeforeContainer
    static void start() throws IOException {
        Files.createDirectories(FOLDER);
        bench = new Bench(FOLDER);
        bench.database.execute("CREATE TYPE mood AS ENUM ('sad', 'it''s')", "CREATE TYPE pair AS (n integer, t text)");
    }

    @AfterContainer
    static void stop() {
        bench.close();
    }

    @BeforeTry
    void nothingIsKept() throws IOException {
        Files.deleteIfExists(FOLDER.resolve(FILE));
    }

    @Property(tries = 3, shrinking = ShrinkingMode.OFF)
    void randomRowsComeBackAsTheyWere(@ForAll long seed) {
        bench.database.execute(
                "DROP TABLE IF EXISTS a, b",
                "CREATE TABLE a (id integer PRIMARY KEY, " + columns(i -> "c" + i + " " + FIELDS.get(i).type) + ")",
                "CREATE TABLE b (LIKE a INCLUDING ALL)",
                "INSERT INTO a VALUES " + values(new Random(seed)));
        ConnectionSettings lite = new ConnectionSettings("lite", Map.of("path", FILE), FOLDER, true);
        Connector sqlite = new SqliteConnector(Clock.systemUTC());

        copy(bench, bench.connector, bench.database.settings(), "a", sqlite, lite, "kept");
        copy(bench, sqlite, lite, "kept", bench.connector, bench.database.settings(), "b");

        for (int i = 0; i < FIELDS.size(); i++) {
            String column = "c" + i;
            assertThat(bench.database.rows("SELECT id, a." + column + "::text, b." + column
                            + "::text FROM a FULL JOIN b USING (id) WHERE a." + column + "::text IS DISTINCT FROM b."
                            + column + "::text ORDER BY id LIMIT 3"))
                    .as(FIELDS.get(i).type)
                    .isEmpty();
        }
        assertThat(BinaryRows.of(bench.database, "SELECT * FROM b ORDER BY id"))
                .isEqualTo(BinaryRows.of(bench.database, "SELECT * FROM a ORDER BY id"));
    }

    private static String columns(Function<Integer, String> spelled) {
        return IntStream.range(0, FIELDS.size()).boxed().map(spelled).collect(Collectors.joining(", "));
    }

    private static String values(Random random) {
        return IntStream.range(0, ROWS)
                .mapToObj(id -> "(" + id + ", "
                        + columns(i -> random.nextInt(9) == 0
                                ? "NULL"
                                : "'" + FIELDS.get(i).value.apply(random).replace("'", "''") + "'")
                        + ")")
                .collect(Collectors.joining(", "));
    }

    /** A whole table into another, which is made where it is missing. */
    private static void copy(
            Bench bench,
            Connector from,
            ConnectionSettings source,
            String table,
            Connector to,
            ConnectionSettings target,
            String into) {
        StagedSource staged;
        try (Source opened = from.source(source, bench.engine)) {
            List<Column> columns = new ArrayList<>(Bench.natural(opened, Bench.table(table)));
            for (int i = 0; i < FIELDS.size(); i++) {
                if (!FIELDS.get(i).declared.isEmpty()) {
                    columns.set(i + 1, new Column("c" + i, FIELDS.get(i).declared));
                }
            }
            staged = bench.stage(
                    opened, new ReadRequest(Bench.table(table), columns, Optional.empty()), Optional.empty());
        }
        Staged rows = new Staged(staged.relation(), staged.columns(), staged.rows());
        SinkWrite append = new SinkWrite.Append();
        TableName name = TableName.parse(into);
        try (Sink sink = to.sink(target, bench.engine)) {
            boolean isThere = sink.describe(name).isPresent();
            if (isThere) {
                sink.fit(name, rows.columns(), append, OnSchemaChange.FAIL);
            }
            try (SinkTransaction transaction = sink.begin()) {
                if (!isThere) {
                    transaction.create(name, rows.columns(), List.of());
                }
                transaction.write(name, rows, append);
                transaction.commit();
            }
        }
    }
}
