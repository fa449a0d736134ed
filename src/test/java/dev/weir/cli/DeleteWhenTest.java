package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject.Said;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log of rows, some of which say that their key is gone, merged into all three systems. */
class DeleteWhenTest {

    private static final String HOW = "strategy: 'merge', keys: ['id'], delete_when: 'op = ''D'''";
    private static final String ROWS = "SELECT id, v, \"at\" FROM %st ORDER BY id";

    @TempDir
    Path folder;

    private final Postgres.Database source = Postgres.fresh();

    private BackfillProject project() {
        source.execute("CREATE TABLE log (at int PRIMARY KEY, id int, v text, op text)");
        BackfillProject project = new BackfillProject(folder, source)
                .reads("{ public.log: { read: { sync: { mode: incremental, cursor: at, max_window: 10, initial: 1,"
                        + " until: 30 } } } }")
                .intoPostgres("t", HOW, "SELECT * FROM {{ source('pg', 'public.log') }}");
        String both = "INSERT INTO {{ sink('lake', 't', " + HOW + ") }}, {{ sink('file', 't', " + HOW + ") }}, ";
        project.project.file("pipelines/t.sql", project.written("t").replaceFirst("INSERT INTO ", both));
        return project;
    }

    private void has(BackfillProject project, String... rows) {
        assertThat(project.lake(ROWS.formatted(""))).containsExactly(rows);
        assertThat(project.project.sqliteRows("file.db", ROWS.formatted(""))).containsExactly(rows);
        assertThat(project.wh(ROWS.replace("%s", "%s."))).containsExactly(rows);
    }

    private static Said said(BackfillProject project, String... args) {
        return BackfillProject.ended(0, project.run(args));
    }

    /** One line a sink. */
    private static List<String> sinks(Said said) {
        return said.out()
                .lines()
                .filter(line -> line.matches("ok (lake|file|wh)\\..*"))
                .map(line -> line.replaceFirst("ok \\S+ ", "").replaceFirst(" \\d+ms", ""))
                .distinct()
                .toList();
    }

    @Test
    void aKeyGoesWhenItsNewestRowSaysSoAndComesBackWithANewerOne() {
        BackfillProject project = project();
        source.execute("INSERT INTO log VALUES (1, 1, 'a', 'I'), (2, 2, 'a', 'I'), (3, 3, 'a', 'I'),"
                + " (4, 4, 'a', 'I'), (5, 4, NULL, 'D'), (6, 5, NULL, 'D'), (7, 5, 'b', 'I'), (8, 6, 'a', NULL),"
                + " (12, 2, NULL, 'D'), (13, 9, NULL, 'D'), (14, 3, 'b', 'U'),"
                + " (22, 2, 'c', 'I'), (23, 5, NULL, 'D')");

        assertThat(sinks(said(project, "run", "--all"))).containsExactly("5 rows");
        has(project, "1|a|1", "2|a|2", "3|a|3", "5|b|7", "6|a|8");
        assertThat(sinks(said(project, "run", "--all"))).containsExactly("1 rows, 1 deleted");
        has(project, "1|a|1", "3|b|14", "5|b|7", "6|a|8");
        assertThat(sinks(said(project, "run", "--all", "--log-format", "json"))).isEmpty();
        has(project, "1|a|1", "2|c|22", "3|b|14", "6|a|8");

        // Replayed, what is older than what is stored changes nothing.
        source.execute("INSERT INTO log VALUES (9, 3, NULL, 'D'), (10, 1, NULL, 'D')");
        Said replayed = project.backfill(0, "t --from 1 --to 31 --window 10");
        has(project, "2|c|22", "3|b|14", "6|a|8");
        assertThat(replayed.all()).contains("file.t: 2 rows had no effect because the stored row is newer by at");

        // No tombstone is kept: a replay that ends before the row that says so brings the key back.
        project.backfill(0, "t --from 1 --to 9");
        has(project, "1|a|1", "2|c|22", "3|b|14", "5|b|7", "6|a|8");
        project.project.file("pipelines/t.sql", project.written("t").replace("'op = ''D'''", "'op = ''X'''"));
        assertThat(project.backfill(2, "t --from 1 --to 9 --resume").all()).contains("delete_when");
    }

    @Test
    void howManyWentIsInTheEventsAndAConditionThatIsNoneIsToldBeforeAnythingRuns() {
        BackfillProject project = project();
        source.execute("INSERT INTO log VALUES (1, 1, 'a', 'I'), (12, 1, 'a', 'D')");
        said(project, "run", "--all");
        assertThat(said(project, "run", "--all", "--log-format", "json")
                        .out()
                        .lines()
                        .filter(line -> line.contains("node_completed") && line.contains("SinkWrite")))
                .as("of each sink")
                .hasSize(3)
                .allMatch(line -> line.contains("\"rows\":0,\"bytes\":0,") && line.contains("\"deleted\":1"));
        assertThat(said(project, "ls", "--json").out()).contains("\"delete_when\":\"op = 'D'\"");

        String right = project.written("t");
        project.project.file("pipelines/t.sql", right.replaceFirst("'op = ''D'''", "'op'"));
        Said typed = BackfillProject.ended(2, project.run("run", "--all"));
        assertThat(typed.all()).contains("WR0210 pipelines/t.sql:1:", "op is of type VARCHAR");
        project.project.file("pipelines/t.sql", right.replaceFirst("'op = ''D'''", "'op = '"));
        Said parsed = BackfillProject.ended(2, project.run("validate"));
        assertThat(parsed.all()).contains("WR0215 pipelines/t.sql:1:", "delete_when cannot be 'op ='");
    }
}
