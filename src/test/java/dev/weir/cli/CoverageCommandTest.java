package dev.weir.cli;

import static dev.weir.cli.GraphProject.from;
import static dev.weir.cli.GraphProject.merge;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.testing.Jvm;
import dev.weir.testing.WeirProject;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir coverage}: what a pipeline has loaded into a DuckDB file and a Postgres, and what lies between. */
class CoverageCommandTest {

    @TempDir
    Path folder;

    private GraphProject graph;

    /** Ids 1 to 10 and 31 to 60, five at a time up to 100. */
    @BeforeEach
    void makeTheProject() {
        graph = new GraphProject(folder);
        graph.arrive("a", 31, 60);
        graph.pipeline("two", "INSERT INTO " + merge("lake", "t") + " SELECT id, v FROM " + from("a"));
    }

    /** The lines, with instants and ids of backfills in the order in which they are met. */
    private String covered(String... command) {
        WeirProject.Said said = graph.succeeds(command);
        BadOutput.isForPeople(said);
        assertThat(said.err()).isEmpty();
        return said.out()
                .replaceAll("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ( to \\S+Z)?", "WHEN")
                .replaceAll("backfill [0-9a-f]{16}", "backfill ID")
                .replaceAll("(?m)  +(?=\\S)(?<!^ {1,8})", "  ");
    }

    private void backfill(String from, String to, String... more) {
        graph.succeeds(Stream.concat(Stream.of("backfill", "two", "--from", from, "--to", to), Stream.of(more))
                .toArray(String[]::new));
    }

    @Test
    void forwardRunsAndBackfillsAndTheHolesBetween() {
        assertThat(covered("coverage", "two")).isEqualTo("""
                lake.t
                  pg.public.a — nothing is loaded
                two: 0 stretches loaded into 1 sink, no hole between
                """);
        graph.succeeds("run", "--all");
        graph.succeeds("run", "--all");
        assertThat(covered("coverage", "two")).isEqualTo("""
                lake.t
                  pg.public.a — cursor id (bigint)
                    [0, 10]  forward  WHEN  10 rows
                two: 1 stretch loaded into 1 sink, no hole between
                """);
        backfill("31", "41", "--window", "5");
        backfill("51", "61");
        backfill("56", "61");
        assertThat(covered("coverage", "two")).isEqualTo("""
                lake.t
                  pg.public.a — cursor id (bigint)
                    [0, 10]  forward  WHEN  10 rows
                    hole (10, 31)
                    [31, 41)  backfill ID  WHEN  10 rows
                    hole [41, 51)
                    [51, 56)  backfill ID  WHEN
                    [56, 61)  backfill ID, backfill ID ×2  WHEN
                two: 4 stretches loaded into 1 sink, 2 holes between
                """);
        backfill("11", "31");
        backfill("31", "41", "--window", "5", "--restart");
        assertThat(covered("coverage", "two")).contains("""
                    [0, 11)  forward  WHEN  10 rows
                    [11, 31)  backfill ID  WHEN  0 rows
                    [31, 41)  backfill ID ×2  WHEN  20 rows
                    hole [41, 51)
                """);
    }

    @Test
    void asJsonIsOneObject() throws IOException {
        graph.succeeds("run", "--all");
        backfill("31", "41");
        JsonNode json = new ObjectMapper()
                .readTree(graph.succeeds("coverage", "two", "--json").out());
        JsonNode sink = json.path("sinks").get(0);
        assertThat(json.path("pipeline").asText()).isEqualTo("two");
        assertThat(sink.path("notRead").isNull()).isTrue();
        JsonNode cursor = sink.path("sources").get(0).path("cursors").get(0);
        assertThat(cursor.path("stretches")
                        .toString()
                        .replaceAll("\"20[^\"]*Z\"", "WHEN")
                        .replaceAll("\"[0-9a-f]{16}\"", "ID"))
                .isEqualTo("[{\"from\":\"0\",\"fromInclusive\":true,\"to\":\"5\",\"toInclusive\":true,\"times\":1,"
                        + "\"by\":[\"forward\"],\"first\":WHEN,\"last\":WHEN,\"rows\":5},"
                        + "{\"from\":\"31\",\"fromInclusive\":true,\"to\":\"41\",\"toInclusive\":false,\"times\":1,"
                        + "\"by\":[ID],\"first\":WHEN,\"last\":WHEN,\"rows\":10}]");
        assertThat(cursor.path("holes").toString())
                .isEqualTo("[{\"from\":\"5\",\"fromInclusive\":false,\"to\":\"31\",\"toInclusive\":false}]");
    }

    @Test
    void timesInEachSinkFromTheLowestOnWhereNothingSaysElse() {
        graph.given(
                "ALTER TABLE a ADD COLUMN seen timestamptz",
                "UPDATE a SET seen = timestamptz '2026-01-01 00:00:00Z' + id * interval '1 hour'");
        graph.sync("a", "cursor: seen, max_window: 1d, until: 2026-01-01T10:00:00Z")
                .pipeline(
                        "two",
                        "INSERT INTO " + merge("lake", "t") + ", " + merge("wh", "t") + " SELECT id, v, seen FROM "
                                + from("a"));
        graph.succeeds("run", "--all", "--until-caught-up");
        backfill("2026-01-02", "2026-01-03");
        String each = """
                  pg.public.a — cursor seen (timestamptz)
                    [2026-01-01T01:00:00+00:00, 2026-01-01T10:00:00+00:00]  forward  WHEN  10 rows
                    hole (2026-01-01T10:00:00+00:00, 2026-01-02T00:00:00+00:00)
                    [2026-01-02T00:00:00+00:00, 2026-01-03T00:00:00+00:00)  backfill ID  WHEN  17 rows
                """;
        assertThat(covered("coverage", "two"))
                .isEqualTo("lake.t\n" + each + "wh.t\n" + each
                        + "two: 4 stretches loaded into 2 sinks, 2 holes between\n");
    }

    @Test
    void whatStateForgotIsStillKnownToTheSink() throws IOException {
        graph.succeeds("run", "--all");
        graph.succeeds("run", "--all");
        backfill("31", "41");
        try (Stream<Path> files = Files.list(folder.resolve(".weir"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        }
        assertThat(covered("coverage", "two")).isEqualTo("""
                lake.t
                  pg.public.a — cursor id (bigint)
                    (the beginning, 10]  forward  up to WHEN  10 rows
                    hole (10, 31)
                    [31, 41)  backfill ID  WHEN  10 rows
                two: 2 stretches loaded into 1 sink, 1 hole between
                """);
    }

    @Test
    void aSinkThatAnotherProcessHoldsIsNotReadAndStateIsBelieved() throws Exception {
        graph.more("rehearsal: { connector: duckdb, path: rehearsal.duckdb }");
        graph.succeeds("run", "--all");
        graph.succeeds("run", "--all");
        backfill("31", "41");
        backfill("41", "51", "--into", "rehearsal");
        String known = covered("coverage", "two");
        List<String> command = Jvm.command(Jvm.SHORT_LIVED, BadSystemTest.HoldsFile.class);
        command.add(folder.resolve("lake.duckdb").toString());
        Process holder = new ProcessBuilder(command).start();
        try (BufferedReader says = holder.inputReader()) {
            assertThat(says.readLine()).isEqualTo("held");
            String stated = covered("coverage", "two");
            assertThat(stated).startsWith("lake.t\n  not read: WR0520 lake").contains("\n  so this is state's word:\n");
            assertThat(stated.substring(stated.indexOf("  pg.public.a")))
                    .isEqualTo(known.substring(known.indexOf("  pg")));
            JsonNode json = new ObjectMapper()
                    .readTree(graph.succeeds("coverage", "two", "--json").out());
            assertThat(json.findValue("notRead").asText()).startsWith("WR0520 lake");
        } finally {
            holder.destroyForcibly().waitFor();
        }
    }

    @Test
    void whatWasLoadedByAnotherCursorIsListedUnderThat() {
        graph.given("ALTER TABLE a ADD COLUMN n integer", "UPDATE a SET n = id");
        graph.succeeds("run", "--all");
        backfill("31", "41", "--cursor", "n");
        assertThat(covered("coverage", "two")).isEqualTo("""
                lake.t
                  pg.public.a — cursor id (bigint)
                    [0, 5]  forward  WHEN  5 rows
                  pg.public.a — cursor n (integer)
                    [31, 41)  backfill ID  WHEN  10 rows
                two: 2 stretches loaded into 1 sink, no hole between
                """);
    }

    @Test
    void startingOverLoadsAgain() {
        graph.succeeds("run", "--all");
        graph.succeeds("run", "--all");
        graph.succeeds("run", "--all", "--full-refresh");
        graph.succeeds("state", "set", "pg.a", "--value", "40", "--reason", "x");
        graph.succeeds("run", "--all");
        assertThat(covered("coverage", "two")).isEqualTo("""
                lake.t
                  pg.public.a — cursor id (bigint)
                    [0, 5]  forward ×2  WHEN
                    (5, 10]  forward  WHEN
                    hole (10, 40]
                    (40, 45]  forward  WHEN  5 rows
                two: 3 stretches loaded into 1 sink, 1 hole between
                """.replace("WHEN  \n", "WHEN\n"));
    }

    @Test
    void aChunkOfSeveralSourcesIsListedUnderEach() {
        graph.given("ALTER TABLE b RENAME COLUMN id TO nr");
        graph.sync("b", "cursor: nr, max_window: 5, initial: 0, until: 100")
                .pipeline(
                        "two",
                        "INSERT INTO " + merge("lake", "t") + " SELECT id, v FROM " + from("a")
                                + " UNION ALL SELECT nr + 1000, v FROM " + from("b"));
        backfill("1", "11");
        assertThat(covered("coverage", "two")).isEqualTo("""
                lake.t
                  pg.public.a — cursor id (bigint)
                    [1, 11)  backfill ID  WHEN  20 rows
                  pg.public.b — cursor nr (bigint)
                    [1, 11)  backfill ID  WHEN  20 rows
                two: 2 stretches loaded into 1 sink, no hole between
                """);
    }

    @Test
    void whatCannotBeAskedForIsRefused() {
        graph.pipeline("mid", "SELECT id, v FROM " + from("b"))
                .pipeline(
                        "copy",
                        "INSERT INTO {{ sink('lake', 'c', strategy: 'replace') }} SELECT id FROM {{ source('pg', 'c') }}");
        WeirProject.Said unknown = graph.run("coverage", "twoo");
        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.err()).contains("WR0217 PIPELINE", "did you mean 'two'?");
        WeirProject.Said intermediate = graph.run("coverage", "mid");
        assertThat(intermediate.exitCode()).isEqualTo(2);
        assertThat(intermediate.err()).contains("WR0207", "mid writes nothing");
        assertThat(covered("coverage", "copy")).contains("reads no source by a cursor");
    }

    @Test
    void lookingLeavesNoTrace() {
        graph.succeeds("coverage", "two");
        assertThat(folder.resolve(".weir")).doesNotExist();
        assertThat(folder.resolve("lake.duckdb")).doesNotExist();
    }
}
