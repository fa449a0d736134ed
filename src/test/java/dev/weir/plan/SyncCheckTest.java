package dev.weir.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connector.Entity;
import dev.weir.connector.TableName;
import dev.weir.fault.UsageException;
import dev.weir.project.Keyed;
import dev.weir.project.Place;
import dev.weir.project.ProjectFolder;
import dev.weir.project.Value;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.Sync;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sync block against the type of its cursor (cases F5, F8, D5, D7, D12, P3). */
class SyncCheckTest {

    private static final String ENTITY = """
            === connections.yml
            pg:
              connector: postgres
              host: h
              database: d
              user: u
              entities:
                t:
                  read:
                    columns: {c: "%s"}
                    sync:
                      mode: incremental
                      cursor: c
                      %s
            """;

    @TempDir
    private Path dir;

    private ProjectFolder plan(String type, String key) {
        ProjectFolder folder = ProjectFolder.of(dir, ENTITY.formatted(type, key));
        Planner.plan(folder.load(), KnownConnector.ALL, folder.problems());
        return folder;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bigint|max_window: \"0\"",
                "bigint|max_window: \"-5\"",
                "bigint|max_window: \"\"",
                "bigint|max_window: \"abc\"",
                "bigint|max_window: \"1e3\"",
                "bigint|max_window: \"0d\"",
                "bigint|max_window: 1.5",
                "bigint|max_window: 1d",
                "bigint|max_window: 10_000",
                "bigint|max_window: 0x10",
                "bigint|initial: no",
                "bigint|initial: 1_000",
                "bigint|initial: 1e3",
                "bigint|initial: 12:30:00",
                "bigint|initial: 2026-01-01",
                "bigint|initial: 9223372036854775808",
                "bigint|initial: 0x1F",
                "bigint|initial: .inf",
                "bigint|initial: now",
                "bigint|initial: \" 1\"",
                "bigint|until: now",
                "bigint|until: 5_000_000",
                "smallint|until: 40000",
                "ubigint|initial: -1",
                "decimal(10,2)|max_window: 0.001",
                "decimal(10,2)|initial: 1.234",
                "date|max_window: 6h",
                "date|max_window: 0d",
                "date|max_window: 10",
                "date|max_window: 1D",
                "date|max_window: 1 d",
                "date|initial: 2026-01-01 00:00:00",
                "date|initial: 2026-02-30",
                "date|until: tomorrow",
                "timestamp|max_window: 1mo",
                "timestamp|max_window: 100",
                "timestamp|initial: 2026-01-01T00:00:00+01:00",
                "timestamp|until: 2026-01-01T24:00:00",
                "timestamptz|initial: 0123",
                "timestamptz|until: 12:30",
            })
    void aKeyThatContradictsItsTypeIsRefusedAtThatKey(String type, String key) {
        ProjectFolder folder = plan(type, key);
        assertThat(ProjectFolder.codesAndPlaces(folder.problems())).containsExactly("WR0213 connections.yml:13:11");
        assertThat(ProjectFolder.printed(folder.problems()))
                .contains(
                        "pg.t: sync." + key.substring(0, key.indexOf(':')),
                        "sync:\n",
                        "mode: incremental",
                        "cursor: c");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bigint|initial: 0123",
                "bigint|initial: \"-5\"",
                "bigint|max_window: 10000",
                "bigint|max_window: 010",
                "bigint|max_window: 99999999999999999999999999",
                "numeric(30,6)|max_window: 0.5",
                "date|max_window: 1d",
                "date|until: now",
                "date|initial: 2026-01-01",
                "timestamp|max_window: 90m",
                "timestamp|initial: 2026-01-01 00:00:00",
                "timestamptz|initial: 2026-01-01T00:00:00+05:30",
                "timestamptz|until: now"
            })
    void aKeyThatFitsItsTypeIsTaken(String type, String key) {
        assertThat(ProjectFolder.printed(plan(type, key).problems())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"text", "uuid", "double", "float", "boolean", "blob", "interval", "time", "json", "int[]"})
    void aTypeThatCannotBeWindowedIsRefusedAtTheCursor(String type) {
        ProjectFolder folder = plan(type, "max_window: 10");
        assertThat(ProjectFolder.codesAndPlaces(folder.problems())).containsExactly("WR0213 connections.yml:12:11");
        assertThat(ProjectFolder.printed(folder.problems()))
                .contains("integers, decimal(p,s), date, timestamp or timestamptz");
    }

    @ParameterizedTest
    @CsvSource({
        "hugeint, 'max_window: 10', 12, 'as in { c: \"decimal(38,0)\" }'",
        "double, 'cursor_unit: epoch_ms', 12, 'integers or decimal(p,s)'",
        "varchar, 'cursor_unit: epoch_ms', 12, 'integers or decimal(p,s)'",
        "timestamptz, 'cursor_unit: epoch_ms', 13, 'and this cursor is a timestamptz: leave it out'",
        "bigint, 'cursor_unit: millis', 13, 'write epoch_s, epoch_ms or epoch_us'",
        "bigint, 'until: now', 13, 'say so with cursor_unit'",
    })
    void whatCouldBeMeantIsSaid(String type, String line, int at, String said) {
        ProjectFolder folder = plan(type, line);
        assertThat(ProjectFolder.codesAndPlaces(folder.problems()))
                .containsExactly("WR0213 connections.yml:" + at + ":11");
        assertThat(ProjectFolder.printed(folder.problems())).contains(said);
    }

    @Test
    void aStopBelowTheStartIsRefusedAtTheStop() {
        ProjectFolder folder = plan("date", "initial: 2026-02-01\n          until: 2026-01-01");
        assertThat(ProjectFolder.codesAndPlaces(folder.problems())).containsExactly("WR0213 connections.yml:14:11");
        assertThat(ProjectFolder.printed(folder.problems()))
                .contains("initial: \"2026-01-01\"", "until: \"2026-02-01\"");
        assertThat(ProjectFolder.printed(plan("date", "initial: 2026-02-01\n          until: 2026-02-01")
                        .problems()))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"COALESCE(a, b)", "lower(x)", "a + b", "updated_at::date", "a AT TIME ZONE 'UTC'"})
    void anExpressionIsNoCursor(String expression) {
        ProjectFolder folder = ProjectFolder.of(
                dir, ENTITY.formatted("int", "").replace("cursor: c", "cursor: \"" + expression + "\""));
        Planner.plan(folder.load(), KnownConnector.ALL, folder.problems());
        assertThat(ProjectFolder.codesAndPlaces(folder.problems())).containsExactly("WR0213 connections.yml:12:11");
        assertThat(ProjectFolder.printed(folder.problems())).contains("make a view", "'query:'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"createdAt", "select", "a.b", "日本", "q\\\"q", "a b", "a-b"})
    void anyNameMayBeACursor(String name) {
        ProjectFolder folder =
                ProjectFolder.of(dir, ENTITY.formatted("int", "").replace("cursor: c", "cursor: \"" + name + "\""));
        Planner.plan(folder.load(), KnownConnector.ALL, folder.problems());
        assertThat(ProjectFolder.printed(folder.problems())).isEmpty();
    }

    @Test
    void theRunGetsTheSameRefusalOnceItKnowsTheType() {
        SourceNode source = source("10000", "0", "now");
        assertThatThrownBy(() -> SyncCheck.parse(source, "BIGINT"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("WR0213 connections.yml:4:1: pg.t: sync.until");
        assertThatThrownBy(() -> SyncCheck.parse(source, "UUID"))
                .hasMessageContaining("WR0213 connections.yml:1:1")
                .hasMessageContaining("UUID");
    }

    /** Whatever is wrong with a block, the one that is printed is right. */
    @Property
    void thePrintedBlockIsRight(
            @ForAll("types") CursorType type,
            @ForAll("units") Optional<String> unit,
            @ForAll("texts") String window,
            @ForAll("texts") String initial,
            @ForAll("texts") String until,
            @ForAll("targets") List<Optional<String>> target) {
        SyncText sync = source(unit, window, target, initial, until).sync().orElseThrow();
        String block = SyncExample.of(sync, type);
        Sync.Text text = new Sync.Text(
                line(block, "cursor_unit").orElse(null),
                line(block, "max_window").orElseThrow(),
                line(block, "initial").orElseThrow(),
                line(block, "until").orElseThrow(),
                null,
                null,
                null,
                null,
                null,
                line(block, "target").orElse(null),
                line(block, "target_rows").orElse(null),
                line(block, "max_window_limit").orElse(null));
        Sync parsed = Sync.parse(type, text);
        assertThat(parsed.type().isEpoch()).isEqualTo(unit.isPresent() && !type.isTime());
        assertThat(parsed.target() != null)
                .isEqualTo(window.equals("auto") || target.stream().anyMatch(Optional::isPresent));
    }

    private static Optional<String> line(String block, String key) {
        return block.lines()
                .filter(line -> line.startsWith("  " + key + ": "))
                .map(line -> line.substring(key.length() + 4).replace("\"", ""))
                .findFirst();
    }

    @Provide
    Arbitrary<Optional<String>> units() {
        return Arbitraries.of("epoch_s", "epoch_ms", "epoch_us", "epoch_ns", "EPOCH_MS", "s", "")
                .optional();
    }

    /** What is written as target, target_rows and max_window_limit. */
    @Provide
    Arbitrary<List<Optional<String>>> targets() {
        return Arbitraries.oneOf(texts(), Arbitraries.of("30s", "0s", "25h", "100000", "1.5"))
                .optional(0.3)
                .list()
                .ofSize(3);
    }

    @Provide
    Arbitrary<CursorType> types() {
        return Arbitraries.of(CursorType.Kind.values())
                .map(kind -> kind == CursorType.Kind.DECIMAL ? CursorType.decimal(4, 2) : CursorType.of(kind))
                .filter(type -> !type.isEpoch());
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of(
                "0",
                "5",
                "-5",
                "99",
                "1000000",
                "9223372036854775807",
                "0.5",
                "abc",
                "now",
                "1d",
                "7d",
                "1h",
                "90m",
                "2026-01-01",
                "1999-12-31",
                "2026-01-01T10:00:00",
                "2026-01-01T10:00:00+02:00",
                "auto",
                "\"",
                "\\");
    }

    private static SourceNode source(String window, String initial, String until) {
        return source(
                Optional.empty(),
                window,
                List.of(Optional.empty(), Optional.empty(), Optional.empty()),
                initial,
                until);
    }

    private static SourceNode source(
            Optional<String> unit, String window, List<Optional<String>> target, String initial, String until) {
        return new SourceNode(
                "src",
                "pg.t",
                "pg",
                new Entity.Table(TableName.parse("t")),
                List.of(),
                Optional.of(new SyncText(
                        "c",
                        at(1),
                        unit.flatMap(text -> key(5, text)),
                        key(2, window),
                        target.get(0).flatMap(text -> key(6, text)),
                        target.get(1).flatMap(text -> key(7, text)),
                        target.get(2).flatMap(text -> key(8, text)),
                        key(3, initial),
                        key(4, until),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty())),
                Optional.empty(),
                Optional.of("c"));
    }

    private static Optional<Keyed<Value.Scalar>> key(int line, String text) {
        return Optional.of(new Keyed<>(at(line), new Value.Scalar(at(line), text, true)));
    }

    private static Place at(int line) {
        return new Place("connections.yml", line, 1);
    }
}
