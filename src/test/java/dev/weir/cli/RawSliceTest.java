package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CaseProject.Into;
import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Slices that go from one Postgres into another undecoded. A NaN in a numeric(12,2) shows which way they go: DuckDB has none,
 * so that decoding refuses it.
 */
class RawSliceTest {

    private static final String PICKED = "SELECT * FROM {{ source('pg', 'public.t') }}";

    @TempDir
    Path folder;

    private CaseProject withNaN() {
        return new CaseProject(folder, Into.POSTGRES)
                .given(
                        "CREATE TABLE t (id int PRIMARY KEY, v numeric(12,2), note text)",
                        "INSERT INTO t SELECT i, i, 'n' || i FROM generate_series(1, 25) i",
                        "UPDATE t SET v = 'NaN' WHERE id = 12")
                .sync("cursor: id, max_window: 10, initial: 0, until: 30");
    }

    @Test
    void aPipelineThatOnlyPicksTakesEveryValueAsItIsIntoTablesOldAndNew() {
        CaseProject copy = withNaN();
        copy.project.file("pipelines/second.sql", """
                INSERT INTO {{ sink('lake', 'second', strategy: 'append', delivery: 'exactly_once') }},
                            {{ sink('lake', 'third', strategy: 'window') }}
                SELECT note AS words, s.v, id FROM {{ source('pg', 'public.t') }} AS s
                """);
        copy.caughtUp();
        copy.isExact("SELECT id, v, note FROM t ORDER BY id");
        copy.given("INSERT INTO t VALUES (27, 'NaN', NULL)");
        copy.caughtUp();
        copy.isExact("SELECT id, v, note FROM t ORDER BY id");
        for (String table : new String[] {"second", "third"}) {
            assertThat(copy.loaded("SELECT words, v, id FROM " + table + " ORDER BY id"))
                    .isEqualTo(copy.source.rows("SELECT note, v, id FROM t ORDER BY id"));
        }
    }

    @Test
    void whereOnePipelineLooksAtTheRowsAllOfThemGetThemDecoded() {
        CaseProject copy = withNaN();
        copy.project.file("pipelines/second.sql", """
                INSERT INTO {{ sink('lake', 'second', strategy: 'merge', keys: ['id']) }}
                SELECT * FROM {{ source('pg', 'public.t') }} WHERE id > 0
                """);
        refused(copy.run("run", "--all", "--until-caught-up"));
        assertThat(copy.loaded("SELECT count(*) FROM t")).containsExactly("10");
    }

    @Test
    void rowsThatAreDeletedByAConditionAreDecoded() {
        CaseProject copy = withNaN();
        copy.pipeline(PICKED, "strategy: 'merge', keys: ['id'], delete_when: \"note = 'gone'\"");
        refused(copy.run("run", "--all", "--until-caught-up"));
    }

    @Test
    void aColumnThatIsDeclaredAsSomethingElseIsDecoded() {
        CaseProject copy = withNaN();
        declared(copy, "bigint");
        refused(copy.run("run", "--all", "--until-caught-up"));
    }

    @Test
    void aColumnThatIsDeclaredAsWhatItIsNeedsNoLookingAt() {
        CaseProject copy = withNaN();
        declared(copy, "integer");
        copy.caughtUp();
        copy.isExact("SELECT id, v FROM t ORDER BY id");
    }

    private static void declared(CaseProject copy, String id) {
        copy.reads("{ columns: { id: " + id + ", v: \"decimal(12,2)\" },"
                + " sync: { mode: incremental, cursor: id, max_window: 10, initial: 0, until: 30 } }");
    }

    @Test
    void whatTheTableRefusesIsToldAsOfRowsThatWereDecoded() {
        CaseProject copy = withNaN().given("UPDATE t SET v = 7 WHERE id = 12");
        copy.onSink("CREATE TABLE t (id int PRIMARY KEY, v numeric(12,2) CHECK (v <> 12), note text NOT NULL)");
        copy.given("UPDATE t SET note = NULL WHERE id = 14");
        WeirProject.Said said = copy.run("run", "--all", "--until-caught-up");
        assertThat(said.exitCode()).as(said.all()).isEqualTo(1);
        assertThat(said.all()).contains("WR0503 lake.t: ", "note");
        assertThat(copy.mark()).isEqualTo("10");
        copy.given("UPDATE t SET note = 'mended' WHERE id = 14");
        copy.caughtUp();
        copy.isExact("SELECT id, v, note FROM t ORDER BY id");
    }

    private static void refused(WeirProject.Said said) {
        assertThat(said.exitCode()).as(said.all()).isEqualTo(1);
        assertThat(said.all()).contains("WR0524 pg.public.t: ", "column v holds NaN");
    }
}
