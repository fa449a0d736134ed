package dev.weir.cli;

import static dev.weir.cli.GraphProject.append;
import static dev.weir.cli.GraphProject.from;
import static dev.weir.cli.GraphProject.merge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which sinks a run is for. Source of the words: contract, section 4. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SelectTest {

    private Path folder;
    private GraphProject graph;

    /**
     * {@code a} is read by the intermediate {@code base} and by {@code two}; {@code one} reads {@code base}, {@code three}
     * reads {@code two}; {@code other} reads {@code b} alone.
     */
    @BeforeAll
    void aProject(@TempDir Path shared) {
        folder = shared;
        graph = new GraphProject(folder)
                .pipeline("base", "SELECT id, v FROM " + from("a"))
                .pipeline("one", "INSERT INTO " + merge("lake", "one") + " SELECT id, v FROM {{ ref('base') }}")
                .pipeline(
                        "two",
                        "INSERT INTO " + merge("lake", "two") + ", " + merge("wh", "public.two") + " SELECT id, v FROM "
                                + from("a"))
                .pipeline("three", "INSERT INTO " + append("lake", "three") + " SELECT id, v FROM {{ ref('two') }}")
                .pipeline("other", "INSERT INTO " + merge("lake", "other") + " SELECT id, v FROM " + from("b"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = ';',
            value = {
                "one;                                     lake.one",
                "two;                                     lake.two wh.public.two",
                "+three;                                  lake.two wh.public.two lake.three",
                "base+;                                   lake.one",
                "two+;                                    lake.two wh.public.two lake.three",
                "+two+;                                   lake.two wh.public.two lake.three",
                "source:pg.b;                             lake.other",
                "source:pg.public.a;                      lake.one lake.two wh.public.two lake.three",
                "sink:lake.two;                           lake.two",
                "sink:wh.two;                             wh.public.two",
                "sink:wh.public.two,other;                wh.public.two lake.other",
                "sink:lake.three,source:pg.b,three;       lake.three lake.other",
            })
    void eachFormMeansTheseSinks(String expression, String sinks) {
        List<String> planned = sinksOf(graph.succeeds("plan", "--json", "--select", expression));

        assertThat(planned).containsExactlyInAnyOrder(sinks.split(" "));
    }

    private static List<String> sinksOf(WeirProject.Said said) {
        return CaseProject.events(said).get(0).get("sources").findValuesAsText("sink");
    }

    @Test
    void namesAndExpressionsAreTakenTogether() {
        WeirProject.Said said =
                graph.succeeds("plan", "--json", "one", "--select", "sink:wh.two", "--select", "source:pg.b");

        assertThat(sinksOf(said)).containsExactlyInAnyOrder("lake.one", "wh.public.two", "lake.other");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = ';',
            value = {
                "tow;                WR0208 selection: there is no pipeline 'tow'; two",
                "+thre;              WR0208 selection: there is no pipeline 'thre'; three",
                "sink:lake.tow;      WR0208 selection: no pipeline writes 'lake.tow'; lake.two",
                "source:pg.c;        source:pg.c; pg.public.",
                "source:two;         source:two; pg.public.",
                "base;               WR0207 selection: base writes nothing; NAME+",
                "+;                  WR0208 selection: there is no pipeline ''; one",
                "tow,two,sink:wh.x;  no pipeline writes 'wh.x'; 'tow'",
            })
    void whatMeansNothingIsRefusedWithWhatThereIs(String expression, String message, String hint) {
        WeirProject.Said said = graph.run("run", "--select", expression);

        assertThat(said.exitCode()).as(said.all()).isEqualTo(2);
        assertThat(said.err()).contains(message).contains(hint);
        assertThat(folder.resolve(".weir")).doesNotExist();
    }

    @Test
    void allAndAnExpressionContradictEachOther() {
        assertThat(Arrays.asList(
                        graph.run("run", "--all", "--select", "one").exitCode(),
                        graph.run("run", "--all", "one").exitCode(),
                        graph.run("run").exitCode()))
                .containsOnly(2);
    }

    @Test
    void sinksLeftOutLagAndAreCaughtUpExactly(@TempDir Path elsewhere) {
        GraphProject lagging = new GraphProject(elsewhere)
                .pipeline(
                        "two",
                        "INSERT INTO " + append("lake", "t") + ", " + append("wh", "t") + " SELECT id, v FROM "
                                + from("a"))
                .pipeline("three", "INSERT INTO " + append("lake", "u") + " SELECT id, v FROM {{ ref('two') }}");
        lagging.succeeds("run", "--all");
        lagging.succeeds("run", "--select", "sink:lake.t", "--until-caught-up");
        lagging.arrive("a", 11, 17);
        lagging.succeeds("run", "three");
        assertThat(lagging.warehouse("SELECT max(id) FROM t")).containsExactly("5");

        lagging.succeeds("run", "--all", "--until-caught-up");

        List<String> owed = lagging.source.rows("SELECT id, v FROM a ORDER BY id");
        assertThat(lagging.lake("SELECT id, v FROM t ORDER BY id")).isEqualTo(owed);
        assertThat(lagging.lake("SELECT id, v FROM u ORDER BY id")).isEqualTo(owed);
        assertThat(lagging.warehouse("SELECT id, v FROM t ORDER BY id")).isEqualTo(owed);
    }
}
