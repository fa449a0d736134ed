package dev.weir.connector.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connector.Column;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.Snapshot;
import dev.weir.fault.RunException;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorType.Kind;
import dev.weir.slicing.CursorValue;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cursors of a file: compared as what they are, or refused with their row. */
class SqliteCursorsTest extends SqliteSourceBench {

    private static final CursorType TIMESTAMP = CursorType.of(Kind.TIMESTAMP);

    private ReadRequest request(String column, String type) {
        return new ReadRequest(table("t"), List.of(new Column(column, type)), cursor(column, type));
    }

    private static CursorRange above(String from, String to) {
        return CursorRange.above(TIMESTAMP.parse(from), TIMESTAMP.parse(to));
    }

    private static CursorRange all(CursorType type) {
        return CursorRange.startingAt(type.least(), type.greatest());
    }

    /** Cases N5 and 0.34: a blank sorts before a T, so that a comparison of texts misses the later time. */
    @ParameterizedTest
    @ValueSource(strings = {"TIMESTAMP", "TEXT", "DATETIME", "TEXT COLLATE NOCASE"})
    void timesAreComparedAsTimesWhicheverWayTheyAreSpelled(String declared) {
        execute("CREATE TABLE t (updated_at " + declared + ")");
        execute("INSERT INTO t VALUES ('2026-07-27 10:00:00'), ('2026-07-27T15:29:00Z'), ('2026-07-27 15:29:47.5'),"
                + " ('2026-07-27'), ('2026-07-26T23:59:59.999999'), ('2026-07-27T15:29:47.500001+00:00')");
        ReadRequest request = request("updated_at", "TIMESTAMP");
        CursorRange range = above("2026-07-27T15:29:00", "2026-07-27T15:29:47.5");

        try (Snapshot snapshot = source.open(request)) {
            assertThat(snapshot.count(range, 100)).isEqualTo(1);
            assertThat(snapshot.lowest(range)).contains(TIMESTAMP.parse("2026-07-27T15:29:47.5"));
            assertThat(snapshot.lowest(above("2026-07-27T15:29:47.5", "9999-12-31")))
                    .contains(TIMESTAMP.parse("2026-07-27T15:29:47.500001"));
            assertThat(snapshot.lowest(all(TIMESTAMP))).contains(TIMESTAMP.parse("2026-07-26T23:59:59.999999"));
            assertThat(snapshot.lowest(above("2026-07-27T15:29:47.500001", "9999-12-31")))
                    .isEmpty();
        }
        Read read = read(source, request, Optional.of(above("2026-07-26T23:59:59.999999", "2026-07-27T15:29:47.5")));
        assertThat(read.rows())
                .containsExactly(
                        "2026-07-27 00:00:00", "2026-07-27 10:00:00", "2026-07-27 15:29:00", "2026-07-27 15:29:47.5");
        assertThat(read.staged().max()).contains(TIMESTAMP.parse("2026-07-27T15:29:47.5"));
    }

    /** Any times in any spelling, offsets that move them to another day too, agree with a row-by-row model. */
    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"TIMESTAMP", "TIMESTAMPTZ"})
    void rangesOfTimesAgreeWithARowByRowModel(Kind kind) {
        Random random = new Random(5);
        CursorType type = CursorType.of(kind);
        List<Long> times = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            long micros = 1_785_000_000_000_000L + (long) random.nextInt(15) * 21_600_000_000L + random.nextInt(3);
            times.add(micros);
            texts.add(spelled(micros, kind, random));
        }
        execute("CREATE TABLE t (c " + kind + ")");
        execute("CREATE INDEX i ON t (c)");
        execute("INSERT INTO t VALUES "
                + texts.stream().map(text -> "('" + text + "')").collect(Collectors.joining(", ")));
        ReadRequest request = request("c", kind == Kind.TIMESTAMP ? "TIMESTAMP" : "TIMESTAMP WITH TIME ZONE");

        try (Snapshot snapshot = source.open(request)) {
            for (int i = 0; i < 200; i++) {
                long from = times.get(random.nextInt(60)) + random.nextInt(3) - 1;
                long to = from + random.nextInt(20) * 21_600_000_000L;
                CursorRange range = CursorRange.above(type.units(from), type.units(to));
                List<Long> expected = times.stream()
                        .filter(time -> time > from && time <= to)
                        .sorted()
                        .toList();
                assertThat(snapshot.count(range, 1_000)).as("%s", range).isEqualTo(expected.size());
                assertThat(snapshot.lowest(range))
                        .as("%s", range)
                        .isEqualTo(expected.stream().findFirst().map(type::units));
            }
        }
    }

    private static String spelled(long micros, Kind kind, Random random) {
        OffsetDateTime utc = LocalDateTime.ofEpochSecond(
                        micros / 1_000_000, (int) (micros % 1_000_000) * 1_000, ZoneOffset.UTC)
                .atOffset(ZoneOffset.UTC);
        String between = random.nextBoolean() ? "T" : " ";
        if (kind == Kind.TIMESTAMPTZ && random.nextBoolean()) {
            ZoneOffset offset = ZoneOffset.ofHours(random.nextInt(37) - 18);
            LocalDateTime local = utc.withOffsetSameInstant(offset).toLocalDateTime();
            return clock(local, between) + (offset.getTotalSeconds() == 0 ? "+00:00" : offset.getId());
        }
        return clock(utc.toLocalDateTime(), between) + (random.nextBoolean() ? "Z" : "");
    }

    private static String clock(LocalDateTime time, String between) {
        String clock = time.toLocalTime().toString();
        return time.toLocalDate() + between + (clock.length() == 5 ? clock + ":00" : clock);
    }

    @Test
    void digitsBelowAMicrosecondBelongToIt() {
        execute("CREATE TABLE t (at TEXT)");
        execute("INSERT INTO t VALUES ('2026-01-01 00:00:00.0000019'), ('2026-01-01 00:00:00.000002')");
        ReadRequest request = request("at", "TIMESTAMP_NS");

        Read read = read(source, request, Optional.of(above("2025-01-01", "2026-01-01T00:00:00.000001")));

        assertThat(read.rows()).containsExactly("2026-01-01 00:00:00.0000019");
        assertThat(read.staged().max()).contains(TIMESTAMP.parse("2026-01-01T00:00:00.000001"));
    }

    /** A cursor no window would ever hold is not passed over, wherever it lies. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "TIMESTAMP | TIMESTAMP  | 1785166187             | integer",
                "TIMESTAMP | TIMESTAMP  | 'abc'                  | text",
                "TIMESTAMP | TIMESTAMP  | ''                     | text",
                "TIMESTAMP | TIMESTAMP  | '2026-13-01 00:00:00'  | text",
                "TIMESTAMP | TIMESTAMP  | x'32303236'            | blob",
                "TEXT      | TIMESTAMP  | '0000-01-01'           | text",
                "DATE      | DATE       | '2026-01-01 10:00:00'  | text",
                "DATE      | DATE       | '2026-1-1'             | text",
                "INTEGER   | BIGINT     | 'abc'                  | text",
                "INTEGER   | BIGINT     | 9223372036854775808    | real",
                "INTEGER   | BIGINT     | -9e999                 | real",
                "INTEGER   | SMALLINT   | 40000                  | integer",
                "``        | BIGINT     | '7'                    | text",
                "DECIMAL(30,6) | DECIMAL(30,6) | 202109171437040633984411.000001 | real",
                "DECIMAL_TEXT(5,2) | DECIMAL(5,2) | '1.005'         | text",
            })
    void aCursorThatIsNoneFailsTheSnapshotNamingIt(String declared, String type, String value, String storage) {
        execute("CREATE TABLE t (c " + declared + ")");
        execute("INSERT INTO t (rowid, c) VALUES (1, NULL), (77, " + value + ")");

        assertThatThrownBy(() -> source.open(request("c", type)))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0524 sys.t")
                .hasMessageContaining("rowid = 77")
                .hasMessageContaining("column c")
                .hasMessageContaining("typeof " + storage)
                .hasMessageContaining("no window would hold it");
    }

    /** SQLite compares the rows of each half as its own column would be: {@code '10' > 3} is false there. */
    @ParameterizedTest
    @ValueSource(strings = {"UNION ALL", "UNION"})
    void textsInOneHalfOfAUnionAreNotPassedOver(String union) {
        execute("CREATE TABLE a (c INTEGER)");
        execute("CREATE TABLE b (c TEXT)");
        execute("INSERT INTO a VALUES (1), (5)");
        execute("INSERT INTO b VALUES ('10')");
        execute("CREATE VIEW t AS SELECT c FROM a " + union + " SELECT c FROM b");

        assertThatThrownBy(() -> source.open(request("c", "BIGINT")))
                .hasMessageContaining("WR0524 sys.t")
                .hasMessageContaining("column c holds '10' (typeof text)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "INTEGER   | BIGINT    | 10.5",
                "TIMESTAMP | TIMESTAMP | '1970-01-01 00:00:00nonsense'",
                "DATE      | DATE      | '1970-01-09 10:00:00'",
            })
    void aCursorThatComesLaterIsNoneEither(String declared, String type, String value) {
        execute("CREATE TABLE t (c " + declared + ")");
        ReadRequest request = request("c", type);
        source.open(request).close();
        execute("INSERT INTO t VALUES (" + value + ")");
        CursorType cursor = request.cursor().orElseThrow().type();
        CursorRange range = CursorRange.above(cursor.units(1), cursor.units(100));

        try (Snapshot snapshot = source.open(request)) {
            if (!declared.equals("TIMESTAMP")) {
                assertThatThrownBy(() -> snapshot.lowest(range)).hasMessageContaining("WR0524");
            }
        }
        assertThatThrownBy(() -> read(source, request, Optional.of(range)))
                .hasMessageContaining("WR0524 sys.t")
                .hasMessageContaining("rowid = 1")
                .hasMessageContaining("column c");
    }

    /** Case D6. */
    @Test
    void decimalsKeptAsTextAreComparedToTheirLastDigit() {
        execute("CREATE TABLE t (seq DECIMAL_TEXT(30,6))");
        execute("INSERT INTO t VALUES ('1.5'), ('2.0'), ('202109171437040633984411.000001'), ('10'), ('-3')");
        CursorType type = CursorType.decimal(30, 6);
        ReadRequest request = request("seq", "DECIMAL(30,6)");

        try (Snapshot snapshot = source.open(request)) {
            assertThat(snapshot.lowest(all(type))).contains(type.parse("-3"));
            assertThat(snapshot.lowest(CursorRange.above(type.parse("1.5"), type.greatest())))
                    .contains(type.parse("2"));
        }
        assertThat(read(source, request, Optional.of(CursorRange.above(type.parse("2.0"), type.greatest())))
                        .rows())
                .containsExactly("10.000000", "202109171437040633984411.000001");
    }

    @Test
    void integersKeptAsTextsAreNoCursor() {
        execute("CREATE TABLE t (c TEXT)");

        assertThatThrownBy(() -> source.open(request("c", "BIGINT")))
                .hasMessageContaining("WR0501 sys.t")
                .hasMessageContaining("orders by their letters");
    }

    /** Nothing says how a time will be spelled: whole seconds are what CURRENT_TIMESTAMP gives. */
    @Test
    void aSecondCountsOnceItHasEnded() {
        execute("CREATE TABLE t (c DATETIME, d TEXT)");

        assertThat(source.describe(table("t")))
                .allSatisfy(column -> assertThat(column.fractionDigits()).isZero());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "INTEGER           | BIGINT        | true",
                "DATE              | DATE          | true",
                "TIMESTAMP         | TIMESTAMP     | true",
                "TIMESTAMPTZ       | TIMESTAMP WITH TIME ZONE | true",
                "DECIMAL_TEXT(9,2) | DECIMAL(9,2)  | false",
            })
    void tellsWhetherAnIndexIsOfUse(String declared, String type, boolean ofUse) {
        execute("CREATE TABLE t (c " + declared + ", v TEXT)");
        CursorRange all = all(CursorType.named(type).orElseThrow());
        try (Snapshot snapshot = source.open(request("c", type))) {
            assertThat(snapshot.isIndexed(all)).contains(false);
        }
        execute("CREATE INDEX i ON t (c)");
        try (Snapshot snapshot = source.open(request("c", type))) {
            assertThat(snapshot.isIndexed(all)).contains(ofUse);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "c INTEGER, BIGINT, BIGINT",
        "c INTEGER, epoch_ms, BIGINT",
        "c DATE, DATE, DATE",
        "c TIMESTAMP, TIMESTAMP, TIMESTAMP"
    })
    void anIndexOnTheCursorIsUsed(String column, String type, String stored) {
        execute("CREATE TABLE t (" + column + ", v TEXT)");
        execute("CREATE INDEX i ON t (c)");
        CursorType cursor = CursorType.printed(type).orElseThrow();
        CursorValue low = cursor.isTime() ? cursor.parse("2026-01-01") : cursor.parse("10");
        CursorValue high = cursor.isTime() ? cursor.parse("2026-01-02") : cursor.parse("20");
        String where = new CursorSql(
                        "c", new CursorUnits(cursor, CursorType.named(stored).orElseThrow()))
                .within(CursorRange.above(low, high))
                .replace("weir_key", "length");

        assertThat(query("EXPLAIN QUERY PLAN SELECT v FROM t WHERE " + where))
                .singleElement()
                .asString()
                .contains("SEARCH t USING INDEX i (c>? AND c<?)");
    }
}
