package dev.weir.cli;

import static dev.weir.cli.GraphProject.from;
import static dev.weir.cli.GraphProject.merge;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.RunException;
import dev.weir.run.Faults;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A connection that gives no answer is left alone, so that not every node waits out its own retries. */
class BreakerTest {

    private static final List<String> TABLES =
            IntStream.rangeClosed(1, 8).mapToObj(number -> "t" + number).toList();

    @TempDir
    Path folder;

    private GraphProject graph;

    @BeforeEach
    void aProject() {
        graph = new GraphProject(folder);
        for (String table : TABLES) {
            graph.given("CREATE TABLE " + table + " AS SELECT * FROM a")
                    .sync(table, "cursor: id, max_window: 5, initial: 0, until: 100")
                    .pipeline(table, "INSERT INTO " + merge("lake", table) + " SELECT id, v FROM " + from(table));
        }
    }

    /** Counts the reads, and lets those fail that are wanted to. */
    private static Faults failing(AtomicInteger reads, Predicate<Integer> fails, RunException failure) {
        return point -> {
            if (point == Faults.Point.MID_READ && fails.test(reads.incrementAndGet())) {
                throw failure;
            }
        };
    }

    private static Fault fault() {
        return new Fault(Code.SOURCE, "pg.t", "the connection is gone", "look after it");
    }

    private static RunException lost() {
        return RunException.unreachable(fault(), new IllegalStateException());
    }

    /** The codes with which sources failed, in their order. */
    private static List<String> failures(WeirProject.Said said) {
        return GraphProject.completed(said).stream()
                .filter(event -> event.get("kind").asText().equals("SourceLoad"))
                .filter(event -> event.get("status").asText().equals("failed"))
                .map(event -> event.get("errorCode").asText())
                .toList();
    }

    private static String messages(WeirProject.Said said) {
        return GraphProject.completed(said).stream()
                .filter(event -> event.has("errorMessage"))
                .map(JsonNode::toString)
                .collect(Collectors.joining("\n"));
    }

    @Test
    void afterFiveFailedAttemptsInARowFurtherNodesFailAtOnce() {
        graph.limits("retry: { attempts: 3, delay: 1ms }\n");
        AtomicInteger reads = new AtomicInteger();

        WeirProject.Said said =
                graph.with(failing(reads, read -> true, lost()), "run", "--all", "--log-format", "json");

        assertThat(said.exitCode()).isEqualTo(1);
        // The second node was under way when it opened, and does what its retries say.
        assertThat(reads).hasValue(6);
        assertThat(failures(said))
                .containsExactly("WR0501", "WR0501", "WR0507", "WR0507", "WR0507", "WR0507", "WR0507", "WR0507");
        assertThat(messages(said))
                .contains("pg: nothing is asked of it since 20", "because 5 attempts in a row failed")
                .contains("the last: WR0501 pg.t: the connection is gone", "one attempt is let through after 20");
    }

    @Test
    void whatWasUnderWayWhenItOpenedIsTriedAgainAndClosesIt() {
        graph.limits("retry: { attempts: 3, delay: 1ms }\nbreaker: { failures: 2, cooldown: 1h }\n");
        AtomicInteger reads = new AtomicInteger();

        WeirProject.Said said =
                graph.with(failing(reads, read -> read <= 2, lost()), "run", "--all", "--log-format", "json");

        assertThat(said.exitCode()).as(said.all()).isZero();
    }

    @Test
    void afterTheCooldownOneAttemptIsLetThroughAndOpensItAgainWhenItFails() {
        graph.limits("retry: { attempts: 3, delay: 1ms }\nbreaker: { failures: 1, cooldown: 1ms }\n");
        AtomicInteger reads = new AtomicInteger();

        WeirProject.Said said =
                graph.with(failing(reads, read -> true, lost()), "run", "t1", "t2", "--log-format", "json");

        assertThat(said.exitCode()).isEqualTo(1);
        assertThat(reads).as("three attempts of the first, one of the second").hasValue(4);
    }

    @Test
    void whatSucceedsAfterTheCooldownClosesIt() {
        graph.limits("retry: { attempts: 1 }\nbreaker: { failures: 1, cooldown: 1ms }\n");
        AtomicInteger reads = new AtomicInteger();

        WeirProject.Said said =
                graph.with(failing(reads, read -> read == 1, lost()), "run", "--all", "--log-format", "json");

        assertThat(failures(said)).containsExactly("WR0501");
        assertThat(graph.lake("SELECT (SELECT count(*) FROM t2), (SELECT count(*) FROM t8)"))
                .containsExactly("5|5");
    }

    @Test
    void whatTheServerRefusesDoesNotOpenIt() {
        graph.limits("retry: { attempts: 1 }\nbreaker: { failures: 1, cooldown: 1h }\n");
        AtomicInteger reads = new AtomicInteger();
        RunException deadlock = RunException.passing(fault(), new IllegalStateException());
        RunException value = RunException.lasting(fault(), new IllegalStateException());

        graph.with(failing(reads, read -> true, deadlock), "run", "--all");
        graph.with(failing(reads, read -> true, value), "run", "--all");

        assertThat(reads).hasValue(2 * TABLES.size());
    }

    @Test
    void aConnectionLeftAloneStopsNoOther() {
        graph.more("shop: { connector: sqlite, path: shop.db }\n")
                .limits("retry: { attempts: 1 }\nbreaker: { failures: 1, cooldown: 1h }\n")
                .pipeline(
                        "z",
                        "INSERT INTO {{ sink('lake', 'z', strategy: 'replace') }} SELECT * FROM {{ source('shop', 't') }}");
        graph.project.sqlite("shop.db", "CREATE TABLE t (id INTEGER)", "INSERT INTO t VALUES (1)");
        AtomicInteger reads = new AtomicInteger();

        WeirProject.Said said = graph.with(failing(reads, read -> read == 1, lost()), "run", "t1", "t2", "z");

        assertThat(said.exitCode()).isEqualTo(1);
        assertThat(said.out()).contains("WR0501", "WR0507", "ok lake.z 1 rows");
    }

    @Test
    void aSourceOfWhichNothingIsAskedComesThroughWhileItsConnectionIsLeftAlone() {
        graph.limits("retry: { attempts: 1 }\nbreaker: { failures: 1, cooldown: 1h }\n")
                .sync("t2", "cursor: id, max_window: 5, initial: 0, until: 5");
        AtomicInteger reads = new AtomicInteger();

        WeirProject.Said said = graph.with(
                failing(reads, read -> read == 3, lost()),
                "run",
                "t1",
                "t2",
                "--until-caught-up",
                // So that nothing is read ahead, and reads have an order.
                "--pause",
                "1ms",
                "--log-format",
                "json");

        assertThat(failures(said)).containsExactly("WR0501");
        assertThat(graph.lake("SELECT count(*) FROM t2")).containsExactly("5");
    }

    @Test
    void aServerThatIsNotThereIsNotAskedByEverybody() throws IOException {
        graph.limits("retry: { attempts: 3, delay: 1ms }\nbreaker: { failures: 4, cooldown: 1h }\n");
        try (ServerSocket taken = new ServerSocket(0)) {
            graph.sourceAt(taken.getLocalPort());
        }

        WeirProject.Said said = graph.fails("run", "--all", "--log-format", "json");

        assertThat(failures(said))
                .containsExactly("WR0501", "WR0501", "WR0507", "WR0507", "WR0507", "WR0507", "WR0507", "WR0507");
    }
}
