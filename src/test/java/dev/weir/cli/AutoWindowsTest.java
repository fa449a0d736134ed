package dev.weir.cli;

import static dev.weir.cli.GraphProject.append;
import static dev.weir.cli.GraphProject.from;
import static dev.weir.cli.GraphProject.merge;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With {@code max_window: auto} windows are as wide as what they held and took allows, and every row comes once. */
class AutoWindowsTest {

    private static final String SOURCE = "src_pg__public_";

    @TempDir
    Path folder;

    private GraphProject graph;

    @BeforeEach
    void aProject() {
        graph = new GraphProject(folder).given("TRUNCATE a");
        graph.pipeline("a", "INSERT INTO " + append("lake", "a") + " SELECT id, v FROM " + from("a"));
    }

    private List<JsonNode> windows(WeirProject.Said said, String table) {
        return GraphProject.completed(said).stream()
                .filter(event -> event.get("nodeId").asText().equals(SOURCE + table))
                .filter(event -> event.path("window").has("autoWidth"))
                .toList();
    }

    private static List<String> widths(List<JsonNode> windows) {
        return windows.stream()
                .map(event -> event.get("window").get("autoWidth").asText())
                .toList();
    }

    private static List<Integer> rows(List<JsonNode> windows) {
        return windows.stream().map(event -> event.get("rows").asInt()).toList();
    }

    private WeirProject.Said loop(String... more) {
        List<String> words = new ArrayList<>(List.of("run", "a", "--until-caught-up", "--log-format", "json"));
        words.addAll(List.of(more));
        return graph.succeeds(words.toArray(String[]::new));
    }

    @Test
    void denseRowsAboveSparseOnesAreMetByNarrowerWindows() {
        graph.given(
                        "INSERT INTO a SELECT g * 1000, 's' FROM generate_series(1, 100) g",
                        "INSERT INTO a SELECT g, 'd' FROM generate_series(100001, 150000) g")
                .sync("a", "cursor: id, max_window: auto, target_rows: 2000, max_window_limit: 20000, until: 1000000");
        assertThat(graph.succeeds("plan", "a").out())
                .contains("window     [1000, 21000]  21 rows, 20000 wide (auto)", ", in about ");

        List<JsonNode> windows = windows(loop(), "a");

        assertThat(rows(windows).subList(0, 6)).containsExactly(21, 20, 20, 20, 1019, 20_000);
        assertThat(widths(windows).subList(0, 6)).containsOnly("20000");
        assertThat(rows(windows).subList(6, windows.size() - 1)).hasSize(14).containsOnly(2000);
        assertThat(widths(windows).subList(6, windows.size())).containsOnly("2000");
        assertThat(graph.lake("SELECT count(*), count(DISTINCT id) FROM a")).containsExactly("50100|50100");

        graph.arrive("a", 150_001, 154_000);
        assertThat(graph.succeeds("plan", "a").out())
                .contains("(150000, 152000]  2,000 rows, 2000 wide (auto)", ", in about ");
        assertThat(graph.succeeds("run", "a").out()).contains(SOURCE + "a 2000 rows", "ms, window 2000 (auto)");
        assertThat(graph.succeeds("preview", "a", "--json").out()).startsWith("{\"id\":\"152001\"");
        graph.succeeds("run", "a");

        graph.pipeline("a", "INSERT INTO " + merge("lake", "again") + " SELECT id, v FROM " + from("a"));
        List<JsonNode> refreshed = windows(loop("--full-refresh", "--max-runs", "1"), "a");
        assertThat(widths(refreshed)).as("of the rows at the end").containsExactly("20000");
    }

    @Test
    void withTimeToSpareWindowsGrowFourfold() {
        graph.arrive("a", 1, 60_000).sync("a", "cursor: id, max_window: auto, target: 1h, until: 1000000");

        List<JsonNode> windows = windows(loop(), "a");

        assertThat(rows(windows)).contains(8101, 32_000).hasSizeLessThan(6);
        assertThat(widths(windows)).containsSubsequence("8100", "32000", "120000");
        assertThat(graph.lake("SELECT count(*), count(DISTINCT id) FROM a")).containsExactly("60000|60000");

        graph.project.sqlite(
                ".weir/state.db",
                "UPDATE chosen_widths SET units = '10000'",
                "CREATE TRIGGER full BEFORE INSERT ON chosen_widths BEGIN SELECT RAISE(FAIL, 'full'); END");
        graph.arrive("a", 60_001, 100_000);
        assertThat(loop().err()).as("a width is no reason to fail").contains("the width of the next window was not");
        assertThat(graph.lake("SELECT count(*), count(DISTINCT id) FROM a")).containsExactly("100000|100000");
    }

    @Test
    void everyKindOfCursor() {
        graph.given("CREATE TABLE t AS SELECT g::int AS id, (g / 8.0)::numeric(18,3) AS amount,"
                + " DATE '2020-01-01' + g AS day, TIMESTAMP '2026-01-01' + g * interval '7 minutes' AS at,"
                + " 1767225600000 + g * 60000 AS ms FROM generate_series(1, 500) g");
        Map<String, String> patterns =
                Map.of("id", "\\d+", "amount", "[\\d.]+", "day", "\\d+d", "at", "\\d+[hm]", "ms", "\\d+[hm]");
        patterns.keySet().forEach(column -> {
            graph.given("CREATE VIEW by_" + column + " AS SELECT * FROM t")
                    .sync(
                            "by_" + column,
                            "cursor: " + column + ", max_window: auto, target_rows: 100"
                                    + (column.equals("ms") ? ", cursor_unit: epoch_ms" : "")
                                    + (column.equals("id")
                                            ? ", until: 500"
                                            : column.equals("amount") ? "" : ", until: now"))
                    .pipeline(
                            "by_" + column,
                            "INSERT INTO " + append("lake", "by_" + column) + " SELECT * FROM " + from("by_" + column));
        });

        WeirProject.Said said = graph.succeeds(
                "run", "--select", "by_id,by_day,by_at,by_ms,by_amount", "--until-caught-up", "--log-format", "json");

        patterns.forEach((column, pattern) -> {
            assertThat(graph.lake("SELECT count(*), count(DISTINCT id) FROM by_" + column))
                    .as(column)
                    .containsExactly("500|500");
            List<JsonNode> windows = windows(said, "by_" + column);
            assertThat(widths(windows)).allMatch(width -> width.matches(pattern));
            assertThat(windows).hasSizeBetween(5, 10);
            assertThat(rows(windows)).allMatch(rows -> rows <= 110);
        });
    }

    @Test
    void aReadThatTimesOutIsTriedAgainWithANarrowerWindow() {
        graph.given("CREATE FUNCTION slow() RETURNS text LANGUAGE plpgsql STABLE AS"
                        + " $$ BEGIN PERFORM pg_sleep(0.004); RETURN ''; END $$")
                .arrive("a", 1, 300)
                .limits("timeout: 400ms\nretry: { attempts: 3, delay: 1ms }\n")
                .entity(
                        "a",
                        "{ read: { query: \"SELECT id, v || slow() AS v FROM public.a\", sync: { mode: incremental,"
                                + " cursor: id, max_window: auto, target_rows: 100000, until: 300 } } }");

        WeirProject.Said said = loop();

        assertThat(said.out()).contains("retry_scheduled", "WR0506");
        assertThat(widths(windows(said, "a")))
                .allMatch(width -> Integer.parseInt(width) <= 250)
                .hasSizeGreaterThan(1);
        assertThat(graph.lake("SELECT count(*), count(DISTINCT id) FROM a")).containsExactly("300|300");
    }

    @Test
    void aTransactionThatTimesOutNarrowsTheNextRun() {
        graph.arrive("a", 1, 1000)
                .sync("a", "cursor: id, max_window: auto, target_rows: 200, until: 2000")
                .pipeline("a", "INSERT INTO " + append("wh", "public.a") + " SELECT id, v FROM " + from("a"));
        assertThat(graph.succeeds("run", "a").out()).contains("window 120 (auto)");
        graph.onWarehouse(
                "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS"
                        + " $$ BEGIN PERFORM pg_sleep(60); RETURN NULL; END $$",
                "CREATE TRIGGER slow BEFORE INSERT ON public.a EXECUTE FUNCTION slow()");
        graph.warehouseLimits("timeout: 300ms\nretry: { attempts: 1 }\n");
        assertThat(graph.fails("run", "a").out()).contains("WR0506");
        graph.onWarehouse("DROP TRIGGER slow ON public.a");
        graph.warehouseLimits("");

        assertThat(graph.succeeds("plan", "a").out()).contains("50 wide (auto)");
        graph.succeeds("run", "a", "--until-caught-up");
        assertThat(graph.warehouse("SELECT count(*), count(DISTINCT id) FROM public.a"))
                .containsExactly("1000|1000");
    }
}
