package dev.weir.cli;

import static dev.weir.cli.GraphProject.append;
import static dev.weir.cli.GraphProject.from;
import static dev.weir.cli.GraphProject.merge;
import static dev.weir.cli.GraphProject.node;
import static dev.weir.cli.GraphProject.outcomes;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.run.Faults;
import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that come late, or never had a cursor. Source of the rules: contract, section 3; cases A1, A4, D1, E1 and E4. */
class LookbackTest {

    private static final String[] LOOP = {"run", "--all", "--until-caught-up"};
    private static final String[] PASS = {"run", "--all", "--log-format", "json"};
    private static final String SOURCE = "src_pg__public_a";

    @TempDir
    Path folder;

    private GraphProject graph;

    @BeforeEach
    void aProject() {
        graph = new GraphProject(folder).given("DELETE FROM a WHERE id > 3");
        into(merge("lake", "t"));
    }

    private void into(String sink) {
        graph.pipeline("copy", "INSERT INTO " + sink + " SELECT id, v FROM " + from("a"));
    }

    private void lookingBack(int lookback) {
        graph.sync("a", "cursor: id, max_window: 5, initial: 0, until: 100, lookback: " + lookback);
    }

    private List<String> owed() {
        return graph.source.rows("SELECT id, v FROM a ORDER BY id");
    }

    private List<String> loaded() {
        return graph.lake("SELECT id, v FROM t ORDER BY id");
    }

    private String mark() {
        return graph.lake("SELECT value FROM _weir_positions").get(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"strategy: 'merge', keys: ['id']", "strategy: 'window'"})
    void anIdThatBecomesVisibleBelowTheWatermarkIsLoadedByTheNextRun(String strategy) {
        lookingBack(2);
        into("{{ sink('lake', 't', " + strategy + ") }}");
        graph.given("DELETE FROM a WHERE id = 2").succeeds(LOOP);

        graph.arrive("a", 2, 2).succeeds(PASS);

        assertThat(loaded()).hasSize(3).isEqualTo(owed());
        assertThat(mark()).isEqualTo("3");
    }

    @Test
    void withoutLookbackSuchARowIsNotLoaded() {
        graph.given("DELETE FROM a WHERE id = 2").succeeds(LOOP);

        graph.arrive("a", 2, 2).succeeds(LOOP);

        assertThat(graph.lake("SELECT id FROM t ORDER BY id")).containsExactly("1", "3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"strategy: 'merge', keys: ['id']", "strategy: 'window'"})
    void aRowThatArrivesLateWithTheSameTimeAsTheLastIsLoaded(String strategy) {
        graph.given(
                        "CREATE TABLE e (id integer PRIMARY KEY, moment timestamp)",
                        "INSERT INTO e VALUES (1, '2026-01-01 00:00:10'), (2, '2026-01-01 00:00:10')")
                .sync(
                        "e",
                        "cursor: moment, max_window: 10s, initial: 2026-01-01, until: 2026-01-01T00:00:20, lookback: 10s")
                .pipeline(
                        "copy",
                        "INSERT INTO {{ sink('lake', 't', " + strategy + ") }} SELECT id, moment FROM " + from("e"));
        graph.succeeds(LOOP);
        assertThat(graph.lake("SELECT id FROM t ORDER BY id")).containsExactly("1", "2");

        graph.given("INSERT INTO e VALUES (3, '2026-01-01 00:00:10')").succeeds(LOOP);

        assertThat(graph.lake("SELECT id FROM t ORDER BY id")).containsExactly("1", "2", "3");
    }

    @Test
    void aSecondRunWritesNothingNewAndThePositionStays() {
        lookingBack(2);
        graph.succeeds(LOOP);

        JsonNode source = node(graph.succeeds(PASS), SOURCE);

        assertThat(source.get("rows").asInt()).isZero();
        assertThat(source.get("watermark").get("before").asText()).isEqualTo("3");
        assertThat(source.get("watermark").get("after").asText()).isEqualTo("3");
        assertThat(loaded()).isEqualTo(owed());
        assertThat(mark()).isEqualTo("3");
    }

    @Test
    void aWindowIsReadAgainWithItsDeletions() {
        lookingBack(2);
        into("{{ sink('lake', 't', strategy: 'window') }}");
        graph.succeeds(LOOP);

        graph.given("DELETE FROM a WHERE id > 1").succeeds(PASS);

        assertThat(loaded()).containsExactly("1|a1");
        assertThat(mark()).isEqualTo("3");
    }

    @Test
    void nothingBelowInitialIsReadAgain() {
        graph.sync("a", "cursor: id, initial: 2, until: 100, lookback: 50").succeeds(LOOP);

        graph.given("UPDATE a SET v = 'changed'", "INSERT INTO a VALUES (0, 'below')")
                .succeeds(LOOP);

        assertThat(loaded()).containsExactly("2|changed", "3|changed");
    }

    @Test
    void nothingBelowAValueThatWasSetIsReadAgain() {
        lookingBack(50);
        graph.succeeds(LOOP);
        graph.succeeds("state", "set", "pg.a", "--value", "2", "--reason", "test");
        graph.succeeds(LOOP);

        graph.given("UPDATE a SET v = 'changed'").succeeds(LOOP);

        assertThat(loaded()).containsExactly("1|a1", "2|a2", "3|changed");
    }

    @Test
    void lateRowsAreLoadedAtTheCeilingToo() {
        graph.sync("a", "cursor: id, initial: 0, until: 3, lookback: 2").succeeds(LOOP);

        graph.given("UPDATE a SET v = 'changed' WHERE id >= 2").succeeds(LOOP);

        assertThat(loaded()).containsExactly("1|a1", "2|changed", "3|changed");
    }

    @Test
    void eachSinkLooksBackFromItsOwnPosition() {
        lookingBack(2);
        into(merge("lake", "t") + ", " + merge("wh", "t"));
        graph.arrive("a", 4, 10).succeeds("run", "--all");
        graph.succeeds("run", "--select", "sink:lake.t", "--until-caught-up");
        graph.given("UPDATE a SET v = 'changed' WHERE id IN (3, 4, 8, 9)");

        WeirProject.Said pass = graph.succeeds(PASS);

        assertThat(graph.warehouse("SELECT id FROM t WHERE v = 'changed' ORDER BY id"))
                .containsExactly("4", "8", "9");
        assertThat(graph.lake("SELECT id FROM t WHERE v = 'changed' ORDER BY id"))
                .containsExactly("9");
        // Five new rows and two again; two again.
        assertThat(outcomes(pass)).containsEntry("wh.t", "7").containsEntry("lake.t", "2");
    }

    @Test
    void anInvocationLooksBackOnce() {
        lookingBack(3);
        graph.succeeds(LOOP);
        graph.arrive("a", 4, 12);

        List<String> rows =
                GraphProject.completed(graph.succeeds("run", "--all", "--until-caught-up", "--log-format", "json"))
                        .stream()
                        .filter(event -> event.get("nodeId").asText().equals("lake.t"))
                        .map(event -> event.get("rows").asText())
                        .toList();

        assertThat(rows).containsExactly("8", "4");
    }

    @Test
    void theWatermarkOfSuchAPassLiesBelowAllItsRows() {
        lookingBack(2);
        graph.pipeline(
                "copy",
                "INSERT INTO " + merge("lake", "t") + " SELECT id, {{ watermark('pg', 'a') }} AS lower FROM "
                        + from("a") + " WHERE id > {{ watermark('pg', 'a') }} OR {{ watermark('pg', 'a') }} IS NULL");
        graph.succeeds(LOOP);

        graph.arrive("a", 4, 4).succeeds(PASS);

        assertThat(graph.lake("SELECT id, lower FROM t ORDER BY id")).containsExactly("1|null", "2|1", "3|1", "4|1");
    }

    @Test
    void anAppendThatLooksBackIsRefused() {
        lookingBack(2);
        into(append("lake", "t"));

        WeirProject.Said said = graph.run("run");

        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err()).contains("WR0213").contains("lookback").contains("strategy: 'merge'");
    }

    private WeirProject.Said at(String instant, String... args) {
        Clock clock = Clock.fixed(Instant.parse(instant), ZoneOffset.UTC);
        WeirProject.Said said = graph.project.run(clock, Faults.NONE, args);
        assertThat(said.exitCode()).as(said.all()).isZero();
        return said;
    }

    @Test
    void delayStaysBelowNow() {
        graph.given(
                        "CREATE TABLE e (id integer PRIMARY KEY, moment timestamp)",
                        "INSERT INTO e VALUES (1, '2026-01-01 10:00'), (2, '2026-01-01 11:49:59.999999'),"
                                + " (3, '2026-01-01 11:50'), (4, '2026-01-01 11:55')")
                .sync("e", "cursor: moment, initial: 2026-01-01, until: now, delay: 10m")
                .pipeline("copy", "INSERT INTO " + merge("lake", "t") + " SELECT id, moment FROM " + from("e"));

        at("2026-01-01T12:00:00Z", LOOP);
        assertThat(graph.lake("SELECT id FROM t ORDER BY id")).containsExactly("1", "2");

        at("2026-01-01T12:05:01Z", LOOP);
        assertThat(graph.lake("SELECT id FROM t ORDER BY id")).containsExactly("1", "2", "3", "4");
    }

    @Test
    void delayInDaysEndsWithAWholeDay() {
        graph.given(
                        "CREATE TABLE e (id integer PRIMARY KEY, day date)",
                        "INSERT INTO e SELECT g, date '2026-01-01' + g FROM generate_series(1, 9) g")
                .sync("e", "cursor: day, initial: 2026-01-01, until: now, delay: 2d")
                .pipeline("copy", "INSERT INTO " + merge("lake", "t") + " SELECT id, day FROM " + from("e"));

        at("2026-01-10T12:00:00Z", LOOP);

        assertThat(graph.lake("SELECT max(day) FROM t")).containsExactly("2026-01-07");
    }

    private void aRowWithoutCursor(String nulls) {
        graph.given(
                        "ALTER TABLE a DROP CONSTRAINT a_pkey",
                        "ALTER TABLE a ALTER id DROP NOT NULL",
                        "INSERT INTO a VALUES (NULL, 'lost')")
                .sync("a", "cursor: id, initial: 0, until: 100, nulls: " + nulls);
    }

    @Test
    void aRowWithoutCursorIsAnErrorWhereThatIsAskedFor() {
        aRowWithoutCursor("fail");

        WeirProject.Said said = graph.fails("run", "--all");

        assertThat(said.out()).contains("WR0525 pg.public.a: 1 row has a NULL in the cursor id");
        assertThat(graph.lake("SELECT 1 FROM information_schema.tables WHERE table_name = 't'"))
                .isEmpty();
        graph.given("DELETE FROM a WHERE id IS NULL").succeeds(LOOP);
        assertThat(loaded()).isEqualTo(owed());
    }

    @Test
    void aRowWithoutCursorIsElseSaidAndTheOthersAreLoaded() {
        aRowWithoutCursor("warn");

        WeirProject.Said said = graph.succeeds(PASS);

        assertThat(loaded()).containsExactly("1|a1", "2|a2", "3|a3");
        assertThat(CaseProject.events(said).stream()
                        .filter(event -> event.get("event").asText().equals("rows_outside_windows"))
                        .map(event -> event.get("nullCursors").asInt()))
                .containsExactly(1);
    }
}
