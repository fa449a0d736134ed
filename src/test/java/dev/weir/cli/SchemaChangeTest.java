package dev.weir.cli;

import static dev.weir.cli.GraphProject.from;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.run.Faults;
import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a sink's table when its pipeline's columns change between two runs. Cases G11, J1 to J4. */
class SchemaChangeTest {

    private static final String[] RUN = {"run", "--all", "--until-caught-up"};
    private static final Map<String, String> TABLES = Map.of("lake", "lake.t", "wh", "wh.t", "box", "box.t");

    @TempDir
    Path folder;

    private GraphProject graph;

    /** Ten rows are loaded into three systems. */
    @BeforeEach
    void loaded() {
        graph = new GraphProject(folder)
                .given(
                        "CREATE TABLE t (id bigint PRIMARY KEY, n integer, v text)",
                        "INSERT INTO t SELECT g, g, 'v' || g" + " FROM generate_series(1, 10) g")
                .sync("t", "cursor: id, max_window: 5, initial: 0, until: 100");
        copying("fail").succeeds(RUN);
    }

    private GraphProject copying(String policy) {
        return copying("SELECT * FROM " + from("t"), policy, "lake", "wh", "box");
    }

    private GraphProject copying(String select, String policy, String... sinks) {
        List<String> calls = List.of(sinks).stream()
                .map(sink -> "{{ sink('" + sink + "', 't', strategy: 'merge', keys: ['id'], on_schema_change: '"
                        + policy + "') }}")
                .toList();
        return graph.pipeline("copy", "INSERT INTO " + String.join(", ", calls) + " " + select);
    }

    private List<String> rows(String sink, String query) {
        return switch (sink) {
            case "lake" -> graph.lake(query);
            case "wh" -> graph.warehouse(query);
            default -> graph.project.sqliteRows("box.db", query);
        };
    }

    private void everywhere(String query, String... rows) {
        everywhere(TABLES.keySet(), query, rows);
    }

    private void everywhere(Collection<String> sinks, String query, String... rows) {
        sinks.forEach(sink -> assertThat(rows(sink, query)).as(sink).containsExactly(rows));
    }

    @Test
    void byDefaultAColumnTheTableLacksIsRefusedAndNothingMoves() {
        graph.given("ALTER TABLE t ADD z text DEFAULT 'z'", "INSERT INTO t VALUES (11, 11, 'v11', 'new')");

        WeirProject.Said said = graph.fails(RUN);

        TABLES.values()
                .forEach(table ->
                        assertThat(said.all()).contains("WR0503 " + table).contains("column z"));
        everywhere("SELECT count(*) FROM t", "10");
        everywhere("SELECT value FROM _weir_positions", "10");
    }

    @Test
    void addGivesTheTableTheNewColumnOnce() {
        graph.given("ALTER TABLE t ADD z numeric(5,2)", "INSERT INTO t VALUES (11, 11, 'v11', 1.25)");

        assertThat(copying("add").succeeds(RUN).all()).contains("the table gets z DECIMAL(5,2)");
        assertThat(graph.succeeds(RUN).all()).doesNotContain("the table gets");

        everywhere("SELECT id, z FROM t WHERE id >= 10 ORDER BY id", "10|null", "11|1.25");
    }

    @Test
    void ignoreLeavesTheTableAndSaysWhatIsNotWritten() {
        graph.given("ALTER TABLE t ADD z text", "INSERT INTO t VALUES (11, 11, 'v11', 'new')");

        assertThat(copying("ignore").succeeds(RUN).all())
                .contains("not written, since the table has no such column: z");

        everywhere("SELECT id, n, v FROM t WHERE id > 10", "11|11|v11");
        assertThat(graph.lake("SELECT column_name FROM (DESCRIBE t)")).containsExactly("id", "n", "v");
    }

    @ParameterizedTest
    @ValueSource(strings = {"add", "ignore"})
    void aColumnThatIsGoneKeepsItsValuesAndIsNullInNewRows(String policy) {
        graph.given("ALTER TABLE t DROP v", "INSERT INTO t VALUES (11, 11)", "UPDATE t SET n = 0 WHERE id = 10")
                .sync("t", "cursor: id, max_window: 5, initial: 0, until: 100, lookback: 2");

        assertThat(copying(policy).succeeds(RUN).all()).contains("left as it is in the table: v");

        everywhere("SELECT id, n, v FROM t WHERE id > 9 ORDER BY id", "10|0|v10", "11|11|null");
    }

    @Test
    void aColumnThatRowsAreOrderedByIsNotIgnored() {
        graph.given("INSERT INTO t VALUES (11, 11, 'v11')");

        WeirProject.Said said = copying(
                        "SELECT id, n, v, id AS seq FROM " + from("t"), "ignore', order_by: 'seq", "lake", "wh", "box")
                .fails(RUN);

        TABLES.values()
                .forEach(table -> assertThat(said.all()).contains("WR0503 " + table + ": the table has no column seq"));
        everywhere("SELECT count(*) FROM t", "10");
    }

    /** Where rows are deleted and written anew, nothing of them is kept. */
    @Test
    void aColumnThatIsGoneGoesFromRowsThatAreReplacedAndThatIsSaid() {
        graph.entity("t", "{ read: {} }")
                .given("ALTER TABLE t DROP v")
                .pipeline(
                        "copy",
                        "INSERT INTO {{ sink('lake', 't', strategy: 'replace', on_schema_change: 'ignore') }} SELECT *"
                                + " FROM " + from("t"));

        assertThat(graph.run("schema", "diff").out()).contains("v  VARCHAR  is empty in rows that are written");
        assertThat(graph.succeeds("run", "--all").all())
                .contains("lake.t: not produced any more, and empty in the rows that are written: v");

        assertThat(graph.lake("SELECT id, v FROM t WHERE id > 9")).containsExactly("10|null");
    }

    @Test
    void aTableThatIsDroppedMeanwhileIsMadeWithEveryColumn() {
        graph.entity("t", "{ read: {} }")
                .given("ALTER TABLE t ADD z integer DEFAULT 7")
                .pipeline(
                        "copy",
                        "INSERT INTO {{ sink('wh', 't', strategy: 'replace', on_schema_change: 'ignore') }} SELECT *"
                                + " FROM " + from("t"));

        graph.with(
                point -> {
                    if (point == Faults.Point.MID_READ) {
                        graph.onWarehouse("DROP TABLE t");
                    }
                },
                "run",
                "--all");

        assertThat(graph.warehouse("SELECT id, z FROM t WHERE id > 9")).containsExactly("10|7");
    }

    @Test
    void aRenamedColumnIsOneThatIsGoneAndOneThatIsNew() {
        graph.given("ALTER TABLE t RENAME v TO w", "INSERT INTO t VALUES (11, 11, 'w11')");

        assertThat(copying("add").succeeds(RUN).all())
                .contains("gets w VARCHAR")
                .contains("in the table: v");

        everywhere("SELECT id, v, w FROM t WHERE id > 9 ORDER BY id", "10|v10|null", "11|null|w11");
    }

    @ParameterizedTest
    @CsvSource({"lake, 3000000000", "wh, 3000000000"})
    void addWidensATypeThatHasGrown(String sink, String value) {
        graph.given("ALTER TABLE t ALTER n TYPE bigint", "INSERT INTO t VALUES (11, " + value + ", 'v11')");
        String select = "SELECT * FROM " + from("t");

        assertThat(copying(select, "ignore", sink).fails(RUN).all())
                .contains("WR0523")
                .contains("on_schema_change: add");
        assertThat(copying(select, "add", sink).succeeds(RUN).all())
                .contains("the table's types are widened: n BIGINT");

        assertThat(rows(sink, "SELECT id, n FROM t WHERE id > 9 ORDER BY id")).containsExactly("10|10", "11|" + value);
    }

    /** SQLite cannot change a column's type; what does not fit the one it has is refused before anything is written. */
    @Test
    void aTypeThatHasGrownIsRefusedByATableThatCannotBeWidened() {
        graph.given("ALTER TABLE t ALTER n TYPE bigint", "INSERT INTO t VALUES (11, 3000000000, 'v11')");

        WeirProject.Said said =
                copying("SELECT * FROM " + from("t"), "add", "box").fails(RUN);

        assertThat(said.all()).contains("WR0523 box.t").contains("BIGINT");
        assertThat(rows("box", "SELECT count(*) FROM t")).containsExactly("10");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fail", "ignore", "add"})
    void aNarrowerTypeIsTaken(String policy) {
        graph.given("ALTER TABLE t ALTER n TYPE smallint", "INSERT INTO t VALUES (11, 11, 'v11')");

        copying(policy).succeeds(RUN);

        everywhere("SELECT id, n FROM t WHERE id > 10", "11|11");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fail", "ignore", "add"})
    void aTypeOfAnotherKindIsRefusedWhateverThePolicy(String policy) {
        graph.given("ALTER TABLE t ALTER n TYPE text", "INSERT INTO t VALUES (11, 'eleven', 'v11')");

        assertThat(copying(policy).fails(RUN).all()).contains("WR0523").contains("n is VARCHAR");
        everywhere("SELECT count(*) FROM t", "10");
    }

    @Test
    void aDeclaredTypeThatNoLongerHoldsAValueNamesRowAndColumn() {
        graph.given("ALTER TABLE t ALTER n TYPE bigint", "INSERT INTO t VALUES (11, 3000000000, 'v11')")
                .entity(
                        "t",
                        "{ read: { columns: { id: bigint, n: integer, v: varchar }, sync: { mode: incremental, cursor:"
                                + " id, max_window: 5, initial: 0, until: 100 } } }");

        assertThat(graph.fails(RUN).all())
                .contains("WR0524")
                .contains("id = 11")
                .contains("n holds 3000000000");
        everywhere("SELECT value FROM _weir_positions", "10");
    }

    @Test
    void keysAndCasesThatATableLacksAreNeverAdded() {
        graph.pipeline(
                "copy",
                "INSERT INTO {{ sink('lake', 't', strategy: 'merge', keys: ['ID'], on_schema_change: 'add') }} SELECT id"
                        + " + 0 AS \"ID\", n, v FROM " + from("t"));
        assertThat(graph.fails(RUN).all()).contains("WR0503 lake.t: the table has no column ID");

        copying("SELECT id, n, v || '' AS \"V\" FROM " + from("t"), "add", "lake");
        assertThat(graph.fails(RUN).all()).contains("WR0503 lake.t: the table has no column V");
    }

    @Test
    void aColumnThatTakesNoNullMustBeProduced() {
        graph.onWarehouse("ALTER TABLE t ALTER v SET NOT NULL");
        graph.given("ALTER TABLE t DROP v", "INSERT INTO t VALUES (11, 11)");

        assertThat(copying("SELECT * FROM " + from("t"), "ignore", "wh")
                        .fails(RUN)
                        .all())
                .contains("WR0503 wh.t: the column v")
                .contains("takes no NULL");
    }

    @Test
    void aSinkThatWasRefusedWhenTheRunBeganWaitsForTheNext() {
        String sinks = "{{ sink('wh', 't', strategy: 'merge', keys: ['id']) }}, {{ sink('lake', 't', strategy: 'merge',"
                + " keys: ['id'], on_schema_change: 'add') }}";
        graph.pipeline("copy", "INSERT INTO " + sinks + " SELECT * FROM " + from("t"));
        graph.given("ALTER TABLE t ADD z text", "INSERT INTO t VALUES (11, 11, 'v11', 'z')");
        Faults changesBack = point -> {
            if (point == Faults.Point.COMPARED) {
                graph.given("ALTER TABLE t DROP IF EXISTS z");
            }
        };

        WeirProject.Said said = graph.with(changesBack, RUN);

        assertThat(said.exitCode()).isEqualTo(1);
        assertThat(said.all()).contains("failed wh.t: WR0503").contains("ok lake.t 1 rows");
        assertThat(graph.succeeds(RUN).all()).contains("ok wh.t 1 rows");
        everywhere(List.of("lake", "wh"), "SELECT id, v FROM t WHERE id > 9 ORDER BY id", "10|v10", "11|v11");
    }

    @Test
    void twoPipelinesThatWidenOneTableWidenItForBoth() {
        graph.given("ALTER TABLE t ALTER n TYPE numeric(20,0)", "INSERT INTO t VALUES (11, 1e15, 'v11')");
        graph.pipeline(
                "second",
                "INSERT INTO {{ sink('lake', 't', strategy: 'merge', keys: ['id'], on_schema_change: 'add') }}"
                        + " SELECT -id AS id, CAST(id AS BIGINT) AS n, v FROM " + from("t"));

        WeirProject.Said said =
                copying("SELECT * FROM " + from("t"), "add", "lake").succeeds(RUN);

        assertThat(said.all()).contains("n DECIMAL(20,0)").doesNotContain("n BIGINT");
        assertThat(graph.lake("SELECT id, n FROM t WHERE abs(id) > 10 ORDER BY id"))
                .containsExactly("-11|11", "11|1000000000000000");
    }

    @Test
    void whatDiesBetweenTheTablesChangeAndTheRowsIsMadeGoodByTheNextRun() {
        graph.given("ALTER TABLE t ADD z text", "ALTER TABLE t ALTER n TYPE bigint")
                .given("INSERT INTO t VALUES (11, 3000000000, 'v11', 'new')");
        copying("SELECT * FROM " + from("t"), "add", "lake", "wh");

        WeirProject.Said died = graph.with(
                point -> {
                    if (point == Faults.Point.BEFORE_SINK_COMMIT) {
                        throw new IllegalStateException("died at " + point);
                    }
                },
                RUN);

        assertThat(died.exitCode()).as(died.all()).isEqualTo(1);
        for (String sink : List.of("lake", "wh")) {
            assertThat(rows(sink, "SELECT count(*), count(z) FROM t")).containsExactly("10|0");
        }
        assertThat(graph.succeeds(RUN).all()).doesNotContain("the table gets");
        for (String sink : List.of("lake", "wh")) {
            assertThat(rows(sink, "SELECT n, z FROM t WHERE id > 10")).containsExactly("3000000000|new");
        }
    }

    @Test
    void diffTellsWhatTheNextRunWillDo() {
        graph.given("ALTER TABLE t ADD z text", "ALTER TABLE t DROP v", "ALTER TABLE t ALTER n TYPE bigint");
        String select = "SELECT * FROM " + from("t");

        WeirProject.Said refused = copying(select, "fail", "lake").run("schema", "diff");
        WeirProject.Said taken = copying(select, "add", "lake").run("schema", "diff");
        WeirProject.Said json = graph.run("schema", "diff", "--json");

        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.out())
                .contains("+ z")
                .contains("- v")
                .contains("INTEGER -> BIGINT")
                .contains("WR0523 lake.t");
        assertThat(taken.exitCode()).isZero();
        assertThat(taken.out().lines().map(line -> line.strip().replaceAll(" +", " ")))
                .containsExactly(
                        "lake.t of copy (on_schema_change: add)",
                        "~ n INTEGER -> BIGINT is widened",
                        "+ z VARCHAR is added",
                        "- v VARCHAR is left as it is");
        assertThat(json.out()).contains("\"kind\":\"retyped\"").contains("\"refusal\":null");
        assertThat(graph.lake("SELECT column_name FROM (DESCRIBE t)")).containsExactly("id", "n", "v");
    }

    @Test
    void anUnknownPolicyIsRefusedAtItsPlace() {
        WeirProject.Said said = copying("alter").run("validate");

        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.all())
                .contains("WR0105")
                .contains("on_schema_change is 'alter'")
                .contains("fail, ignore or add");
    }
}
