package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.event.ScreenSize;
import dev.weir.run.Faults;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorType;
import dev.weir.state.BackfillRecord;
import dev.weir.state.ChunkRecord;
import dev.weir.state.PlanLease;
import dev.weir.state.StateStore;
import dev.weir.testing.WeirProject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir backfill list} and {@code show}, and what {@code weir runs} tells of chunks. */
class BackfillShowTest {

    private static final Map<String, String> UTF_8 = Map.of("TERM", "xterm", "LANG", "en_US.UTF-8");
    private static final String ESCAPE = "\u001b";
    private static final String OTHER = "d000000000000000";
    private static final CursorType BIGINT = CursorType.of(CursorType.Kind.BIGINT);

    @TempDir
    private Path temporary;

    private Path folder;
    private WeirProject project;

    /** Ids 1 to 100, of which 45 has a value the pipeline cannot take; ten chunks of ten. */
    @BeforeEach
    void makeTheProject() {
        folder = temporary.resolve("shop");
        project = new WeirProject(folder).file("connections.yml", """
                        app:
                          connector: sqlite
                          path: app.db
                          entities:
                            orders: { read: { sync: { mode: incremental, cursor: id, max_window: 10, until: 100 } } }
                        lake: { connector: duckdb, path: lake.duckdb }
                        """).file("pipelines/orders.sql", """
                        INSERT INTO {{ sink('lake', 'orders', strategy: 'merge', keys: ['id']) }}
                        SELECT id, CAST(v AS INTEGER) AS v FROM {{ source('app', 'orders') }}
                        """);
        project.sqlite(
                "app.db",
                "CREATE TABLE orders (id BIGINT PRIMARY KEY, v TEXT)",
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)"
                        + " INSERT INTO orders SELECT i, CASE i WHEN 45 THEN 'oops' ELSE i END FROM n");
    }

    private WeirProject.Said said(int exitCode, String... command) {
        WeirProject.Said said = project.run(command);
        assertThat(said.exitCode()).as(said.all()).isEqualTo(exitCode);
        BadOutput.isForPeople(said);
        return said;
    }

    private void backfill() {
        said(1, "backfill", "orders", "--from", "1", "--to", "101", "--window", "10");
    }

    private String id() {
        return said(0, "backfill", "list").out().substring(0, 16);
    }

    private static String withoutTimes(String text) {
        return text.replaceAll("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z", "WHEN");
    }

    private StateStore state() {
        return StateStore.open(folder.resolve(".weir"), Clock.systemUTC());
    }

    /** Another plan in state, with chunks of one. */
    private static BackfillRecord plan(StateStore state, int chunks) {
        BackfillRecord plan = new BackfillRecord(
                "shop",
                OTHER,
                "orders",
                BIGINT.units(0),
                BIGINT.units(chunks),
                "1",
                new Cursor("id", BIGINT),
                "Europe/Berlin",
                "rehearsal",
                "f",
                Map.of(),
                2,
                chunks,
                Clock.systemUTC().instant(),
                "backfill orders");
        state.backfills()
                .begin(
                        plan,
                        IntStream.range(0, chunks)
                                .mapToObj(i -> ChunkRecord.pending(
                                        String.format("%06d", i), BIGINT.units(i), BIGINT.units(i + 1), "r" + i))
                                .toList());
        return plan;
    }

    private String shown(Map<String, String> environment, Screen screen, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        Console console = new Console(stream, stream, environment, folder, Clock.systemUTC(), Faults.NONE, screen);
        assertThat(Weir.run(console, args)).isZero();
        return out.toString(StandardCharsets.UTF_8);
    }

    private static Screen screen(int columns) {
        return () -> Optional.of(new ScreenSize(columns, 24));
    }

    @Test
    void aFailedBackfillIsListedAndShown() {
        assertThat(said(0, "backfill", "list").out()).isEqualTo("no backfills yet\n");
        assertThat(said(0, "backfill", "list", "--json").out()).isEmpty();
        backfill();
        String id = id();
        assertThat(withoutTimes(said(0, "backfill", "list").out()))
                .isEqualTo(id + "  WHEN  orders  [1 → 101)  10  4 of 10 completed, 1 failed, 5 pending  40 rows\n");
        String shown = said(0, "backfill", "show", id.substring(0, 3)).out();
        assertThat(withoutTimes(shown))
                .startsWith("""
                backfill %s: 4 of 10 chunks completed, 40 rows
                  pipeline  orders
                  range     [1 → 101)
                  window    10
                  zone      UTC
                  cursor    id (bigint)
                  restarts  0
                  created   WHEN
                  command   backfill orders --from 1 --to 101 --window 10

                  ####x.....
                  # 4 completed   . 5 pending   x 1 failed

                failed
                  000004  [41 → 51)  1 attempt
                    WR0502 \
                """.formatted(id))
                .contains("oops")
                .doesNotContain("running", "interrupted");
    }

    @Test
    void asJsonIsEverythingThatIsKept() throws IOException {
        backfill();
        JsonNode listed = new ObjectMapper()
                .readTree(said(0, "backfill", "list", "--json").out());
        assertThat(listed.path("counts").toString())
                .isEqualTo("{\"failed\":1,\"interrupted\":0,\"running\":0,\"pending\":5,\"completed\":4}");
        JsonNode all = new ObjectMapper()
                .readTree(said(0, "backfill", "show", id(), "--json").out());
        assertThat(all.path("backfillId").asText()).isEqualTo(id());
        assertThat(all.path("chunks")).hasSize(10);
        JsonNode failed = all.path("chunks").get(4);
        assertThat(failed.fieldNames())
                .toIterable()
                .containsExactly(
                        "backfillId",
                        "chunkId",
                        "chunkFrom",
                        "chunkTo",
                        "status",
                        "held",
                        "claimedBy",
                        "claimedAt",
                        "attempts",
                        "startedAt",
                        "completedAt",
                        "recordsLoaded",
                        "runId",
                        "error");
        assertThat(failed.path("status").asText()).isEqualTo("failed");
        assertThat(failed.path("error").asText()).contains("WR0502");
        assertThat(all.path("runs")).hasSize(5);
        assertThat(all.path("runs").get(0).path("chunkRunId")).isEqualTo(failed.path("runId"));
    }

    @Test
    void runsSayWhatTheyWereFor() throws IOException {
        said(0, "run", "--all");
        backfill();
        List<String> lines = said(0, "runs").out().lines().toList();
        assertThat(lines.get(0))
                .containsPattern("  backfill orders .*  \\(backfill " + id() + ", run_id=[0-9a-f]{16}\\)$");
        assertThat(lines.get(5)).endsWith("  run --all");
        JsonNode forward = new ObjectMapper()
                .readTree(said(0, "runs", "--json").out().lines().toList().get(5));
        assertThat(forward.path("trigger").asText()).isEqualTo("run");
        assertThat(forward.path("backfillId").isNull()).isTrue();
        assertThat(forward.path("chunkRunId").isNull()).isTrue();
        String attempt = lines.get(0).split(" ")[0];
        assertThat(said(0, "runs", "show", attempt).out())
                .containsPattern("\n  backfill " + id() + "\n  chunk    run_id=[0-9a-f]{16}\n");
        JsonNode json = new ObjectMapper()
                .readTree(said(0, "runs", "show", attempt, "--json").out());
        assertThat(json.path("trigger").asText()).isEqualTo("backfill");
        assertThat(json.path("backfillId").asText()).isEqualTo(id());
        assertThat(said(0, "runs", "show", lines.get(5).split(" ")[0]).out()).doesNotContain("backfill");
    }

    @Test
    void whoDiedIsToldFromWhoWorks() throws Exception {
        try (StateStore state = state()) {
            BackfillRecord plan = plan(state, 4);
            for (String chunk : List.of("000001", "000002")) {
                state.backfills().claim(plan.key(), chunk, "there:7");
                state.backfills().running(plan.key(), chunk);
            }
            try (PlanLease lease = state.planLocks().join("shop", OTHER, Duration.ZERO, duration -> {})) {
                lease.tryClaim(1).orElseThrow();
                assertThat(withoutTimes(said(0, "backfill", "show", OTHER).out()))
                        .contains("""
                          zone      Europe/Berlin
                          cursor    id (bigint)
                          into      rehearsal
                          restarts  2
                        """, "  .>?.\n", """

                        interrupted
                          000002  [2 → 3)  running by there:7 since WHEN, and nobody who lives holds it

                        running
                          000001  [1 → 2)  running by there:7 since WHEN
                        """);
                assertThat(said(0, "backfill", "list").out())
                        .contains("0 of 4 completed, 1 running, 1 interrupted, 2 pending  0 rows  into rehearsal");
            }
            assertThat(said(0, "backfill", "list").out()).contains("0 of 4 completed, 2 interrupted, 2 pending");
        }
    }

    @Test
    void thePictureFitsTheTerminalAndItsColours() {
        backfill();
        assertThat(shown(UTF_8, Screen.NONE, "backfill", "show", id()))
                .contains("\n  ████✗·····\n  █ 4 completed   · 5 pending   ✗ 1 failed\n")
                .doesNotContain(ESCAPE);
        assertThat(shown(UTF_8, screen(8), "backfill", "show", id()))
                .contains("\n  " + ESCAPE + "[32m████" + ESCAPE + "[0m" + ESCAPE + "[31m✗" + ESCAPE + "[0m" + ESCAPE
                        + "[2m·" + ESCAPE + "[0m\n  " + ESCAPE + "[2m····" + ESCAPE + "[0m\n");
        assertThat(shown(Map.of("TERM", "xterm", "LC_ALL", "C", "NO_COLOR", "1"), screen(8), "backfill", "show", id()))
                .contains("\n  ####x.\n  ....\n")
                .doesNotContain(ESCAPE);
    }

    @Test
    void veryManyChunksShareACharacterAndTheWorstIsShown() {
        try (StateStore state = state()) {
            BackfillRecord plan = plan(state, 8_001);
            state.backfills().claim(plan.key(), "000004", "there:7");
            state.backfills().failed(plan.key(), "000004", "WR0503 lake.t: bad\n" + "more\n".repeat(11));
            state.backfills().found(plan.key(), Map.of("000000", 1L, "000001", 1L, "000002", 1L));
        }
        String shown = said(0, "backfill", "show", OTHER).out();
        assertThat(shown)
                .contains("\n  #x" + ".".repeat(76) + "\n")
                .contains("  # 3 completed   . 7,997 pending   x 1 failed\n"
                        + "  each character is 3 chunks, and shows the worst of them\n")
                .contains("    more\n    and 2 more lines\n");
        long cells = shown.lines()
                .filter(line -> line.matches("  [#x.]+"))
                .mapToLong(line -> line.length() - 2)
                .sum();
        assertThat(cells).isEqualTo(2_667);
        assertThat(shown.lines()).allMatch(line -> line.length() <= 80);
    }

    @Test
    void ofManyFailedChunksTenAreListed() {
        try (StateStore state = state()) {
            BackfillRecord plan = plan(state, 12);
            for (int i = 0; i < 12; i++) {
                String chunk = String.format("%06d", i);
                state.backfills().claim(plan.key(), chunk, "there:7");
                state.backfills().failed(plan.key(), chunk, "WR0503 lake.t: bad");
            }
        }
        assertThat(said(0, "backfill", "show", OTHER).out())
                .contains("000009  [9 → 10)")
                .doesNotContain("000010  [")
                .endsWith("    WR0503 lake.t: bad\n  and 2 more\n");
    }

    @Test
    void secretsInErrorsAreHidden() {
        project.env("TOKEN", "kept-from-everyone").file("weir.yml", "name: shop\nsecrets: [TOKEN]\n");
        try (StateStore state = state()) {
            BackfillRecord plan = plan(state, 1);
            state.backfills().claim(plan.key(), "000000", "there:7");
            state.backfills().failed(plan.key(), "000000", "WR0503 lake.t: kept-from-everyone");
        }
        assertThat(said(0, "backfill", "show", OTHER).out()).contains("WR0503 lake.t: ***");
        assertThat(said(0, "backfill", "show", OTHER, "--json").out())
                .contains("WR0503 lake.t: ***")
                .doesNotContain("kept-from");
    }

    @Test
    void anIdThatTellsNoneApartIsRefused() {
        assertThat(said(2, "backfill", "show", "x").err()).contains("WR0105 ID", "'x'", "weir backfill list");
        backfill();
        said(0, "backfill", "orders", "--from", "1", "--to", "2");
        assertThat(said(2, "backfill", "show", "").err()).contains("WR0105 ID", "say which: ", id());
        String wrong = id().substring(0, 15) + "g";
        assertThat(said(2, "backfill", "show", wrong).err()).contains("did you mean " + id() + "?");
        assertThat(said(2, "backfill", "list", "--limit", "0").err()).contains("--limit");
        assertThat(said(0, "backfill", "list", "--limit", "1").out().lines()).hasSize(1);
        assertThat(said(2, "backfill", "list", "--project", "nowhere").err()).contains("WR0108");
    }

    @Test
    void aPipelineThatIsNamedLikeACommandGoesLastBehindTwoDashes() {
        for (String name : List.of("list", "show")) {
            project.file("pipelines/" + name + ".sql", """
                    INSERT INTO {{ sink('lake', '%s_of_orders', strategy: 'merge', keys: ['id']) }}
                    SELECT id FROM {{ source('app', 'orders') }}
                    """.formatted(name));
            said(0, "backfill", "--from", "1", "--to", "11", "--", name);
            assertThat(project.duckRows("lake.duckdb", "SELECT count(*) FROM " + name + "_of_orders"))
                    .containsExactly("10");
            assertThat(said(2, "backfill", name, "--from", "1").err()).contains("Unknown option");
        }
        assertThat(said(2, "backfill", "--from", "1", "--to", "11", "list").err())
                .contains("options of 'backfill list' follow its name", "--to T -- list");
        assertThat(said(2, "backfill", "--from", "1", "--to", "11", "show", "0").err())
                .contains("options of 'backfill show' follow its name", "--to T -- show");
        assertThat(said(2, "backfill", "orders", "list").err()).contains("follow its name");
    }
}
