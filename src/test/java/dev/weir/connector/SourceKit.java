package dev.weir.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weir.engine.StageListener;
import dev.weir.engine.StagedSource;
import dev.weir.fault.RunException;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every connector's source passes. */
public abstract class SourceKit extends ConnectorKit {

    protected Source source;

    @BeforeEach
    final void openSource() {
        source = connector().source(settings(), engine);
    }

    @AfterEach
    final void closeSource() {
        source.close();
    }

    /** A SELECT that runs for many seconds and gives one column {@code n}. */
    protected abstract String endlessQuery();

    /** A finite value's infinite fellow, lower or higher, as DuckDB prints it; empty: the system has none. */
    protected abstract boolean hasInfinity(String duckType);

    static Stream<Samples> cursorTypes() {
        return Samples.cursors().stream();
    }

    static Stream<Samples> allTypes() {
        return Stream.concat(Samples.cursors().stream(), Samples.others().stream());
    }

    @Test
    void describesTheColumnsInTheirOwnOrder() {
        createTable("t", "z", "BIGINT", "a", "VARCHAR", "m", "DECIMAL(12,2)");

        assertThat(all(source, table("t")))
                .containsExactly(
                        new Column("z", "BIGINT"), new Column("a", "VARCHAR"), new Column("m", "DECIMAL(12,2)"));
    }

    @Test
    void aMissingTableIsNamed() {
        createTable("orders", "id", "BIGINT");

        for (String name : List.of("order", "Orders", "nowhere.orders")) {
            assertThatThrownBy(() -> source.describe(table(name)))
                    .isInstanceOf(RunException.class)
                    .hasMessageContaining("WR0501 sys." + name);
            assertThatThrownBy(() -> source.open(request(table(name), Optional.empty(), "id", "BIGINT")))
                    .isInstanceOf(RunException.class)
                    .hasMessageContaining("WR0501 sys." + name);
        }
    }

    @Test
    void aMissingColumnIsNamedAndTheRealOnesAreListed() {
        createTable("t", "Id", "BIGINT", "createdAt", "TIMESTAMP");

        assertThatThrownBy(() -> source.open(request(table("t"), Optional.empty(), "id", "BIGINT")))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0501 sys.t")
                .hasMessageContaining("id")
                .hasMessageContaining("Id, createdAt");
        assertThatThrownBy(() -> source.open(request(table("t"), cursor("seq", "BIGINT"), "Id", "BIGINT")))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("seq")
                .hasMessageContaining("Id, createdAt");
    }

    @Test
    void rowsThatComeAfterTheSnapshotOpenedAreNotInIt() {
        createTable("t", "id", "BIGINT");
        insert("t", "BIGINT", "1", "2");
        ReadRequest request = request(table("t"), cursor("id", "BIGINT"), "id", "BIGINT");
        CursorRange everything = everything("BIGINT");

        StagedSource staged;
        try (Snapshot snapshot = source.open(request)) {
            insert("t", "BIGINT", "0", "3");
            execute("DELETE FROM t WHERE id = 2");
            assertThat(snapshot.lowest(everything)).contains(bigint(1));
            assertThat(snapshot.count(everything, 100)).isEqualTo(2);
            staged = engine.stage("src", request, snapshot.read(Optional.of(everything)), StageListener.NONE);
        }

        assertThat(staged(staged.relation())).containsExactly("1", "2");
        assertThat(read(source, request, Optional.of(everything)).rows()).containsExactly("0", "1", "3");
    }

    @ParameterizedTest
    @MethodSource("cursorTypes")
    void aRangeHoldsExactlyWhatItsEndsSay(Samples samples) {
        List<String> values = cursorTable(samples);
        CursorType type = CursorType.named(samples.type()).orElseThrow();
        List<CursorValue> cursors =
                values.stream().map(text -> parse(type, text)).toList();
        ReadRequest request = request(table("t"), cursor("c", samples.type()), "c", samples.type());

        for (int from = 0; from < values.size(); from++) {
            for (int to = from; to < values.size(); to++) {
                assertRange(
                        request,
                        CursorRange.startingAt(cursors.get(from), cursors.get(to)),
                        values.subList(from, to + 1),
                        cursors.subList(from, to + 1));
                assertRange(
                        request,
                        CursorRange.above(cursors.get(from), cursors.get(to)),
                        values.subList(from + 1, to + 1),
                        cursors.subList(from + 1, to + 1));
            }
        }
        assertRange(request, everything(samples.type()), values, cursors);
        assertRange(
                request, CursorRange.above(type.least(), type.greatest()), withoutLeast(type, values, cursors), null);
    }

    private static List<String> withoutLeast(CursorType type, List<String> values, List<CursorValue> cursors) {
        return cursors.get(0).equals(type.least()) ? values.subList(1, values.size()) : values;
    }

    private void assertRange(
            ReadRequest request,
            CursorRange range,
            List<String> rows,
            @org.jspecify.annotations.Nullable List<CursorValue> cursors) {
        try (Snapshot snapshot = source.open(request)) {
            assertThat(snapshot.count(range, 1_000)).as("count of %s", range).isEqualTo(rows.size());
            if (cursors != null) {
                assertThat(snapshot.lowest(range)).isEqualTo(cursors.stream().findFirst());
            }
        }
        Read read = read(source, request, Optional.of(range));
        assertThat(read.rows()).as("rows of %s", range).containsExactlyInAnyOrderElementsOf(rows);
        assertThat(read.staged().rows()).isEqualTo(rows.size());
        if (cursors != null) {
            assertThat(read.staged().max()).isEqualTo(cursors.stream().reduce((a, b) -> b));
        }
    }

    @ParameterizedTest
    @MethodSource("cursorTypes")
    void nullAndInfiniteCursorsAreInNoRangeAndAreCounted(Samples samples) {
        List<String> values = cursorTable(samples);
        execute("INSERT INTO t (c) VALUES (NULL), (NULL), (NULL)");
        boolean infinite = hasInfinity(samples.type());
        if (infinite) {
            insert("t", samples.type(), "infinity", "-infinity");
        }
        ReadRequest request = request(table("t"), cursor("c", samples.type()), "c", samples.type());

        try (Snapshot snapshot = source.open(request)) {
            assertThat(snapshot.countNull(1_000)).isEqualTo(3);
            assertThat(snapshot.countNull(2)).isEqualTo(2);
            assertThat(snapshot.countInfinite(1_000)).isEqualTo(infinite ? 2 : 0);
            assertThat(snapshot.countInfinite(1)).isEqualTo(infinite ? 1 : 0);
            assertThat(snapshot.count(everything(samples.type()), 1_000)).isEqualTo(values.size());
            assertThat(snapshot.count(everything(samples.type()), 3)).isEqualTo(3);
        }
        assertThat(read(source, request, Optional.of(everything(samples.type())))
                        .rows())
                .hasSize(values.size());
    }

    @Test
    void tiesComeTogether() {
        createTable("t", "id", "BIGINT");
        insert("t", "BIGINT", "1", "2", "2", "2", "3");
        ReadRequest request = request(table("t"), cursor("id", "BIGINT"), "id", "BIGINT");

        assertThat(read(source, request, Optional.of(CursorRange.above(bigint(1), bigint(2))))
                        .rows())
                .containsExactly("2", "2", "2");
        assertThat(read(source, request, Optional.of(CursorRange.above(bigint(2), bigint(9))))
                        .rows())
                .containsExactly("3");
    }

    @Test
    void aCursorThatNobodyAskedForIsReadAndHidden() {
        createTable("t", "id", "BIGINT", "v", "VARCHAR");
        execute("INSERT INTO t (id, v) VALUES (1, 'a'), (2, 'b'), (3, 'c')");
        ReadRequest request = request(table("t"), cursor("id", "BIGINT"), "v", "VARCHAR");

        Read read = read(source, request, Optional.of(CursorRange.above(bigint(1), bigint(3))));

        assertThat(read.rows()).containsExactly("b", "c");
        assertThat(read.staged().columns()).containsExactly(new Column("v", "VARCHAR"));
        assertThat(read.staged().max()).contains(bigint(3));
    }

    @Test
    void aFullReadTakesEveryRow() {
        createTable("t", "id", "BIGINT", "v", "VARCHAR");
        execute("INSERT INTO t (id, v) VALUES (1, 'a'), (NULL, 'b'), (1, 'a')");

        Read read =
                read(source, request(table("t"), Optional.empty(), "v", "VARCHAR", "id", "BIGINT"), Optional.empty());

        assertThat(read.rows()).containsExactly("a|1", "a|1", "b|null");
        assertThat(read.staged().max()).isEmpty();
    }

    @Test
    void anEmptyTableIsReadAsNoRows() {
        createTable("t", "id", "BIGINT");
        ReadRequest request = request(table("t"), cursor("id", "BIGINT"), "id", "BIGINT");

        try (Snapshot snapshot = source.open(request)) {
            assertThat(snapshot.lowest(everything("BIGINT"))).isEmpty();
            assertThat(snapshot.count(everything("BIGINT"), 10)).isZero();
            assertThat(snapshot.countNull(10)).isZero();
        }
        Read read = read(source, request, Optional.of(everything("BIGINT")));
        assertThat(read.staged().columns()).containsExactly(new Column("id", "BIGINT"));
        assertThat(read.rows()).isEmpty();
    }

    @Test
    void oneSnapshotGivesSeveralReads() {
        createTable("t", "id", "BIGINT");
        insert("t", "BIGINT", "1", "2", "3");
        ReadRequest request = request(table("t"), cursor("id", "BIGINT"), "id", "BIGINT");

        StagedSource low;
        StagedSource high;
        try (Snapshot snapshot = source.open(request)) {
            low = engine.stage(
                    "low",
                    request,
                    snapshot.read(Optional.of(CursorRange.startingAt(bigint(1), bigint(1)))),
                    StageListener.NONE);
            insert("t", "BIGINT", "4");
            high = engine.stage(
                    "high",
                    request,
                    snapshot.read(Optional.of(CursorRange.above(bigint(1), bigint(9)))),
                    StageListener.NONE);
        }

        assertThat(staged(low.relation())).containsExactly("1");
        assertThat(staged(high.relation())).containsExactly("2", "3");
    }

    @Test
    void cancelEndsAReadUnderWay() throws Exception {
        ReadRequest request = request(new Entity.Query("endless", endlessQuery()), Optional.empty(), "n", "BIGINT");
        CompletableFuture<Read> reading = CompletableFuture.supplyAsync(() -> read(source, request, Optional.empty()));

        org.awaitility.Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
            source.cancel();
            engine.cancel();
            return reading.isDone();
        });

        assertThatThrownBy(() -> reading.get(1, TimeUnit.SECONDS)).hasCauseInstanceOf(RunException.class);
    }

    @Test
    void theClockIsCloseToTheRunners() {
        assertThat(Duration.between(source.clock(), Instant.now()).abs()).isLessThan(Duration.ofMinutes(1));
    }

    @Test
    void closingTwiceIsFine() {
        createTable("t", "id", "BIGINT");
        source.describe(table("t"));
        source.close();
        source.close();
    }

    /** A table {@code t} with one column {@code c} that holds the samples the system can hold. */
    private List<String> cursorTable(Samples samples) {
        assumeTrue(typeName(samples.type()).isPresent(), "the system has no " + samples.type());
        createTable("t", "c", samples.type());
        insert("t", samples.type(), samples.values().toArray(String[]::new));
        return samples.values();
    }

    /** Inserts rows of one column. */
    protected final void insert(String table, String type, String... values) {
        execute("INSERT INTO " + table + " VALUES "
                + Stream.of(values).map(text -> "(" + value(type, text) + ")").collect(Collectors.joining(", ")));
    }

    protected static CursorRange everything(String duckType) {
        CursorType type = CursorType.named(duckType).orElseThrow();
        return CursorRange.startingAt(type.least(), type.greatest());
    }

    private static CursorValue parse(CursorType type, String printed) {
        return type.parse(printed.replace(' ', 'T').replace("+00", "Z"));
    }

    protected static ReadRequest request(
            Entity entity, Optional<dev.weir.slicing.Cursor> cursor, String... namesAndTypes) {
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < namesAndTypes.length; i += 2) {
            columns.add(new Column(namesAndTypes[i], namesAndTypes[i + 1]));
        }
        return new ReadRequest(entity, columns, cursor);
    }
}
