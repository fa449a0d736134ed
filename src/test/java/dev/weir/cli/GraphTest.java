package dev.weir.cli;

import static dev.weir.cli.GraphProject.append;
import static dev.weir.cli.GraphProject.from;
import static dev.weir.cli.GraphProject.merge;
import static dev.weir.cli.GraphProject.node;
import static dev.weir.cli.GraphProject.outcomes;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pipelines that read each other. Source of the rules: contract, sections 2.2, 2.4 and 4.3. */
class GraphTest {

    private static final String[] LOOP = {"run", "--all", "--until-caught-up"};
    private static final String[] PASS = {"run", "--all", "--log-format", "json"};

    @TempDir
    Path folder;

    private GraphProject graph;

    @BeforeEach
    void aProject() {
        graph = new GraphProject(folder);
    }

    @Test
    void aChainPassesEachSliceOnFromOnePipelineToTheNext() {
        graph.pipeline("first", "SELECT id, v FROM " + from("a"))
                .pipeline("second", "SELECT id, upper(v) AS v FROM {{ ref('first') }} WHERE id <> 3")
                .pipeline(
                        "third",
                        "INSERT INTO " + merge("lake", "t") + " SELECT id, v || '!' AS v FROM {{ ref('second') }}");

        graph.succeeds(LOOP);

        assertThat(graph.lake("SELECT id, v FROM t ORDER BY id"))
                .isEqualTo(graph.source.rows("SELECT id, upper(v) || '!' FROM a WHERE id <> 3 ORDER BY id"));
    }

    @Test
    void theTopOfADiamondIsRunOncePerSlice() {
        graph.pipeline("top", "SELECT id, v FROM " + from("a"))
                .pipeline("west", "SELECT id, v || 'w' AS w FROM {{ ref('top') }}")
                .pipeline("east", "SELECT id, v || 'e' AS e FROM {{ ref('top') }}")
                .pipeline(
                        "bottom",
                        "INSERT INTO " + "{{ sink('lake', 't', strategy: 'merge', keys: ['id'], per_slice: 'accept') }}"
                                + " SELECT id, w, e FROM {{ ref('west') }} JOIN {{ ref('east') }} USING (id)");

        WeirProject.Said pass = graph.succeeds(PASS);
        graph.succeeds(LOOP);

        assertThat(outcomes(pass))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "src_pg__public_a", "5", "pipe_top", "5", "pipe_west", "5", "pipe_east", "5", "lake.t", "5"));
        assertThat(graph.lake("SELECT id, w, e FROM t ORDER BY id"))
                .isEqualTo(graph.source.rows("SELECT id, v || 'w', v || 'e' FROM a ORDER BY id"));
    }

    @Test
    void whoRefersToALoadedPipelineGetsItsRowsHoweverFarThatOnesSinkIs() {
        graph.pipeline(
                        "upper",
                        "INSERT INTO " + append("lake", "uppers") + " SELECT id, upper(v) AS v FROM " + from("a"))
                .pipeline("below", "INSERT INTO " + append("lake", "below") + " SELECT id, v FROM {{ ref('upper') }}");
        graph.succeeds("run", "upper", "--until-caught-up");

        graph.succeeds(LOOP);

        List<String> owed = graph.source.rows("SELECT id, upper(v) FROM a ORDER BY id");
        assertThat(graph.lake("SELECT id, v FROM uppers ORDER BY id")).isEqualTo(owed);
        assertThat(graph.lake("SELECT id, v FROM below ORDER BY id")).isEqualTo(owed);
    }

    @Test
    void whatIsReadInFullIsSharedByIntermediatesAndLoadedPipelines() {
        graph.entity("b", "{}")
                .pipeline("names", "SELECT id, v AS name FROM " + from("b"))
                .pipeline(
                        "directory",
                        "INSERT INTO {{ sink('lake', 'directory', strategy: 'replace') }}"
                                + " SELECT id, name FROM {{ ref('names') }}")
                .pipeline(
                        "named",
                        "INSERT INTO " + merge("lake", "t") + " SELECT a.id, a.v, n.name FROM " + from("a")
                                + " a JOIN {{ ref('directory') }} n USING (id)");

        WeirProject.Said loop = graph.succeeds("run", "--all", "--until-caught-up", "--log-format", "json");

        assertThat(graph.lake("SELECT id, v, name FROM t ORDER BY id"))
                .isEqualTo(graph.source.rows("SELECT id, a.v, b.v FROM a JOIN b USING (id) ORDER BY id"));
        assertThat(graph.lake("SELECT count(*) FROM directory")).containsExactly("10");
        assertThat(GraphProject.completed(loop).stream()
                        .map(event -> event.get("nodeId").asText())
                        .filter(id -> id.equals("src_pg__public_b") || id.equals("pipe_names")))
                .containsExactly("src_pg__public_b", "pipe_names");
    }

    @Test
    void belowAFailedIntermediateSinksAreSkippedAndOthersGoOn() {
        graph.pipeline("numbers", "SELECT id, CAST(v AS integer) AS n FROM " + from("a"))
                .pipeline("more", "SELECT id, n + 1 AS n FROM {{ ref('numbers') }}")
                .pipeline("below", "INSERT INTO " + merge("lake", "below") + " SELECT id, n FROM {{ ref('more') }}")
                .pipeline("beside", "INSERT INTO " + merge("lake", "beside") + " SELECT id, v FROM " + from("a"));

        WeirProject.Said said = graph.fails(PASS);

        assertThat(outcomes(said))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "src_pg__public_a", "5",
                        "pipe_numbers", "failed",
                        "pipe_more", "skipped",
                        "lake.below", "skipped",
                        "lake.beside", "5"));
        assertThat(node(said, "src_pg__public_a").get("caughtUp").asBoolean()).isFalse();
        assertThat(graph.lake("SELECT DISTINCT sink FROM _weir_positions")).containsExactly("lake.beside");
    }

    @Test
    void belowASourceThatCannotBeReadIntermediatesAreSkippedToo() {
        graph.pipeline("first", "SELECT id, v FROM " + from("a"))
                .pipeline("below", "INSERT INTO " + merge("lake", "t") + " SELECT id, v FROM {{ ref('first') }}")
                .pipeline("beside", "INSERT INTO " + merge("lake", "u") + " SELECT id, v FROM " + from("b"))
                .sync("a", "cursor: id, initial: 0, until: 100, nulls: fail")
                .given(
                        "ALTER TABLE a DROP CONSTRAINT a_pkey",
                        "ALTER TABLE a ALTER id DROP NOT NULL",
                        "INSERT INTO a VALUES (NULL, 'none')");

        assertThat(outcomes(graph.fails(PASS)))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "src_pg__public_a", "failed",
                        "pipe_first", "skipped",
                        "lake.t", "skipped",
                        "src_pg__public_b", "5",
                        "lake.u", "5"));
    }

    @Test
    void twoSinksInOneConnectionCommitTogetherOrNotAtAll() {
        graph.pipeline(
                "two",
                "INSERT INTO " + merge("wh", "t")
                        + ", {{ sink('wh', 'u', strategy: 'merge', keys: ['v']) }} SELECT id, v FROM " + from("a"));
        graph.succeeds(PASS);
        String everything = "SELECT 't', id, v FROM t UNION ALL SELECT 'u', id, v FROM u ORDER BY 1, 2";
        String marks = "SELECT sink, value, seq FROM _weir_positions ORDER BY 1";
        List<String> rows = graph.warehouse(everything);
        List<String> standing = graph.warehouse(marks);
        graph.given("UPDATE a SET v = NULL WHERE id = 8");

        WeirProject.Said said = graph.fails("run", "--all");

        assertThat(said.out()).contains("failed wh.u: WR0521").contains("skipped wh.t");
        assertThat(graph.warehouse(everything)).hasSize(10).isEqualTo(rows);
        assertThat(graph.warehouse(marks)).hasSize(2).isEqualTo(standing);
        graph.given("UPDATE a SET v = 'a8' WHERE id = 8").succeeds(LOOP);
        assertThat(graph.warehouse("SELECT count(*), count(DISTINCT id), max(id) FROM u"))
                .containsExactly("10|10|10");
    }

    @Test
    void aSinkInAnotherSystemThatFailedIsCaughtUpExactly() {
        graph.pipeline(
                "two",
                "INSERT INTO " + append("lake", "t") + ", " + append("wh", "t") + ", " + append("box", "t")
                        + " SELECT id, v FROM " + from("a"));
        graph.succeeds(PASS);
        graph.onWarehouse("ALTER TABLE t ADD CONSTRAINT no CHECK (id < 8)");

        WeirProject.Said failed = graph.fails(PASS);
        assertThat(outcomes(failed))
                .containsEntry("lake.t", "5")
                .containsEntry("wh.t", "failed")
                .containsEntry("box.t", "5");
        graph.onWarehouse("ALTER TABLE t DROP CONSTRAINT no");
        graph.arrive("a", 11, 13);
        WeirProject.Said next = graph.succeeds(PASS);
        graph.succeeds(LOOP);

        assertThat(outcomes(next))
                .containsEntry("lake.t", "0")
                .containsEntry("wh.t", "5")
                .containsEntry("box.t", "0");
        List<String> owed = graph.source.rows("SELECT id, v FROM a ORDER BY id");
        assertThat(graph.lake("SELECT id, v FROM t ORDER BY id")).isEqualTo(owed);
        assertThat(graph.warehouse("SELECT id, v FROM t ORDER BY id")).isEqualTo(owed);
        assertThat(graph.project.sqliteRows("box.db", "SELECT id, v FROM t ORDER BY id"))
                .isEqualTo(owed);
    }

    private void unionOfTwo(String... sinks) {
        graph.pipeline(
                        "mixed",
                        "SELECT 'a' AS src, id, v FROM " + from("a") + " UNION ALL SELECT 'b', id, v FROM " + from("b"))
                .pipeline(
                        "union",
                        "INSERT INTO " + String.join(", ", sinks) + " SELECT src, id, v FROM {{ ref('mixed') }}");
    }

    private List<String> union() {
        return graph.source.rows("SELECT 'a', id, v FROM a UNION ALL SELECT 'b', id, v FROM b ORDER BY 1, 2");
    }

    @Test
    void aSinkThatIsAheadInOneSourceGetsNoneOfItsRows() {
        unionOfTwo(append("lake", "t"), append("wh", "t"));
        graph.succeeds("run", "--select", "sink:lake.t", "--until-caught-up");
        graph.arrive("b", 11, 12);

        Map<String, String> first = outcomes(graph.succeeds(PASS));
        graph.succeeds(LOOP);

        // Of both sources the sink in the warehouse takes the first five; the other takes nothing yet.
        assertThat(first)
                .containsEntry("lake.t", "0")
                .containsEntry("wh.t", "10")
                .containsEntry("pipe_mixed", "10");
        assertThat(graph.lake("SELECT src, id, v FROM t ORDER BY 1, 2")).isEqualTo(union());
        assertThat(graph.warehouse("SELECT src, id, v FROM t ORDER BY 1, 2")).isEqualTo(union());
    }

    @Test
    void theSqlRunsOnceForEachDistinctChoiceOfRows() {
        unionOfTwo(append("lake", "t"), append("lake", "u"), append("wh", "t"));
        graph.succeeds(PASS);
        graph.succeeds("run", "--select", "sink:lake.t", "--select", "sink:lake.u", "--until-caught-up");
        graph.arrive("a", 11, 12)
                .succeeds("state", "set", "pg.a", "--value", "10", "--reason", "nothing below is missing");

        // The sinks in the lake take a's two rows; the one in the warehouse takes those and b's next five.
        assertThat(outcomes(graph.succeeds(PASS)))
                .containsEntry("lake.t", "2")
                .containsEntry("lake.u", "2")
                .containsEntry("wh.t", "7")
                .containsEntry("pipe_mixed", "9");
    }

    @Test
    void aSourceAddedToAPipelineThatAppendsIsLoadedFromItsBeginningAndTheOtherNotAgain() {
        graph.pipeline("union", "INSERT INTO " + append("lake", "t") + " SELECT 'a' AS src, id, v FROM " + from("a"));
        graph.succeeds(LOOP);

        graph.pipeline(
                "union",
                "INSERT INTO " + append("lake", "t") + " SELECT 'a' AS src, id, v FROM " + from("a")
                        + " UNION ALL SELECT 'b', id, v FROM " + from("b"));
        graph.succeeds(LOOP);

        assertThat(graph.lake("SELECT src, id, v FROM t ORDER BY 1, 2")).isEqualTo(union());
    }

    @Test
    void eventsOfANodeBeginWithItsStartAndASourceCompletesAfterItsSinks() {
        graph.pipeline("mid", "SELECT id, v FROM " + from("a"))
                .pipeline(
                        "one",
                        "INSERT INTO " + merge("lake", "t") + ", " + merge("wh", "t")
                                + " SELECT id, v FROM {{ ref('mid') }}")
                .pipeline("two", "INSERT INTO " + merge("lake", "t") + " SELECT id + 1000 AS id, v FROM " + from("b"));

        WeirProject.Said said = graph.succeeds(PASS);

        Map<String, Integer> started = new HashMap<>();
        Map<String, Integer> completed = new HashMap<>();
        List<JsonNode> events = CaseProject.events(said);
        for (int i = 0; i < events.size(); i++) {
            String event = events.get(i).get("event").asText();
            if (event.equals("node_started")) {
                assertThat(started.put(events.get(i).get("nodeId").asText(), i)).isNull();
            } else if (event.equals("node_completed")) {
                assertThat(completed.put(events.get(i).get("nodeId").asText(), i))
                        .isNull();
            }
        }
        assertThat(completed.keySet())
                .containsExactlyInAnyOrder(
                        "src_pg__public_a", "src_pg__public_b", "pipe_mid", "lake.t#one", "wh.t", "lake.t#two")
                .isEqualTo(started.keySet());
        started.forEach((id, at) -> assertThat(at).as(id).isLessThan(completed.get(id)));
        assertThat(completed.get("src_pg__public_a"))
                .isGreaterThan(completed.get("lake.t#one"))
                .isGreaterThan(completed.get("wh.t"));
        assertThat(completed.get("src_pg__public_b")).isGreaterThan(completed.get("lake.t#two"));
        assertThat(events.get(0).get("nodeCount").asInt()).isEqualTo(completed.size());
    }

    @Test
    void textNamesEachNodeOnceItIsDoneTheSourceBeforeItsSinks() {
        graph.pipeline("mid", "SELECT id, v FROM " + from("a"))
                .pipeline(
                        "one",
                        "INSERT INTO " + merge("lake", "t") + ", " + merge("wh", "t")
                                + " SELECT id, v FROM {{ ref('mid') }}");

        List<String> lines = graph.succeeds("run", "--all")
                .out()
                .lines()
                .map(line -> line.replaceAll(" \\d+ms$", "")
                        .replaceAll("run \\S+:", "run:")
                        .replaceAll(" \\(.*", ""))
                .toList();

        assertThat(lines)
                .containsExactly(
                        "ok src_pg__public_a 5 rows",
                        "ok mid 5 rows",
                        "ok lake.t 5 rows",
                        "ok wh.t 5 rows",
                        "run: 4 succeeded, 0 failed, 0 skipped");
    }

    @Test
    void aSourceIsCaughtUpOnlyWhenEverySelectedSinkBelowItCommitted() {
        graph.sync("a", "cursor: id, initial: 0, until: 100")
                .pipeline("good", "INSERT INTO " + merge("lake", "t") + " SELECT id, v FROM " + from("a"))
                .pipeline("bad", "INSERT INTO " + merge("wh", "t") + " SELECT id, v FROM " + from("a"));
        graph.onWarehouse("CREATE TABLE t (id bigint, v integer)");

        WeirProject.Said refusedWhenBound = graph.fails(PASS);
        assertThat(outcomes(refusedWhenBound)).containsEntry("wh.t", "failed").containsEntry("lake.t", "10");
        assertThat(node(refusedWhenBound, "src_pg__public_a").get("caughtUp").asBoolean())
                .isFalse();

        graph.onWarehouse("DROP TABLE t", "CREATE TABLE t (id bigint, v text CHECK (v <> 'a3'))");
        WeirProject.Said refusedWhenWritten = graph.fails(PASS);
        assertThat(node(refusedWhenWritten, "src_pg__public_a").get("caughtUp").asBoolean())
                .isFalse();

        assertThat(node(graph.succeeds("run", "good", "--log-format", "json"), "src_pg__public_a")
                        .get("caughtUp")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void theWatermarkShownIsTheLowestPositionAndSinksAheadFollow() {
        graph.pipeline(
                "two",
                "INSERT INTO " + merge("lake", "t") + ", " + merge("wh", "t") + " SELECT id, v FROM " + from("a"));
        graph.succeeds(PASS);
        graph.succeeds("run", "--select", "sink:wh.t", "--until-caught-up");

        List<String> shown = graph.succeeds("state", "show").out().lines().toList();

        int current = IntStream.range(0, shown.size())
                .filter(i -> shown.get(i).startsWith("  current  5 "))
                .findFirst()
                .orElseThrow(() -> new AssertionError(shown.toString()));
        assertThat(shown.get(current + 1)).contains("wh.t").contains("10");
        assertThat(Set.copyOf(new HashSet<>(shown))).noneMatch(line -> line.contains("lake.t"));
    }

    @Test
    void aProcessThatAnotherHasOvertakenDeletesNothingOfWhatThatOneLoaded() {
        graph.pipeline("copy", "INSERT INTO {{ sink('wh', 't', strategy: 'window') }} SELECT id, v FROM " + from("a"));
        graph.project.file("weir.yml", "name: shared\n");
        graph.succeeds(LOOP);
        graph.arrive("a", 11, 11);
        GraphProject elsewhere = graph.copy(folder.resolve("elsewhere"));
        boolean[] overtaken = new boolean[1];

        WeirProject.Said slow = graph.with(
                point -> {
                    if (point == dev.weir.run.Faults.Point.STAGED && !overtaken[0]) {
                        overtaken[0] = true;
                        graph.arrive("a", 12, 12);
                        elsewhere.succeeds(LOOP);
                    }
                },
                "run",
                "--all");

        assertThat(overtaken[0]).isTrue();
        assertThat(slow.exitCode()).as(slow.all()).isEqualTo(1);
        assertThat(slow.all()).contains("WR0520");
        assertThat(graph.warehouse("SELECT id, v FROM t ORDER BY id"))
                .isEqualTo(graph.source.rows("SELECT id, v FROM a ORDER BY id"));
    }
}
