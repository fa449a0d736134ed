package dev.weir.cli;

import static dev.weir.cli.GraphProject.from;
import static dev.weir.cli.GraphProject.merge;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.connector.Connector;
import dev.weir.event.Event;
import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.RunException;
import dev.weir.plan.Plan;
import dev.weir.plan.Planner;
import dev.weir.plan.Secrets;
import dev.weir.plan.Selection;
import dev.weir.project.Problems;
import dev.weir.project.Project;
import dev.weir.project.ProjectLoader;
import dev.weir.run.Cancellation;
import dev.weir.run.Faults;
import dev.weir.run.RunOptions;
import dev.weir.run.Runner;
import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a connection may be asked for at once, how often, and how many times over. */
class LimitsTest {

    @TempDir
    Path folder;

    private GraphProject graph;

    @BeforeEach
    void aProject() {
        graph = new GraphProject(folder);
        for (String table : List.of("a", "b")) {
            graph.pipeline(table, "INSERT INTO " + merge("lake", table) + " SELECT id, v FROM " + from(table));
        }
    }

    private int readers() {
        return Integer.parseInt(graph.source.value("SELECT count(*) FROM pg_stat_activity WHERE datname = '"
                + graph.source.name() + "' AND application_name LIKE 'weir%'"));
    }

    @Test
    void severalSourcesOfAConnectionAreReadAtOnce() {
        CountDownLatch both = new CountDownLatch(2);
        List<Boolean> met = Collections.synchronizedList(new ArrayList<>());
        Faults wait = point -> {
            if (point == Faults.Point.MID_READ) {
                both.countDown();
                met.add(comes(both));
            }
        };

        WeirProject.Said said = graph.with(wait, "run", "--all", "--threads", "4");

        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(met).isNotEmpty().containsOnly(true);
    }

    private static boolean comes(CountDownLatch latch) {
        try {
            return latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void maxConcurrencyOpensNoSecondReadingConnection() {
        graph.limits("max_concurrency: 1\n")
                .entity("c", "{}")
                .given("CREATE TABLE c AS SELECT * FROM a")
                .pipeline(
                        "c", "INSERT INTO {{ sink('lake', 'c', strategy: 'replace') }} SELECT id, v FROM " + from("c"));
        List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
        Faults look = point -> {
            if (point == Faults.Point.MID_READ || point == Faults.Point.BEFORE_SINK_COMMIT) {
                seen.add(readers());
            }
        };

        WeirProject.Said said = graph.with(look, "run", "--all", "--until-caught-up", "--threads", "4");

        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(seen).hasSizeGreaterThan(8).containsOnly(1);
        assertThat(graph.lake("SELECT (SELECT count(*) FROM a), (SELECT count(*) FROM b), (SELECT count(*) FROM c)"))
                .containsExactly("10|10|10");
    }

    private static Faults failingTimes(int times) {
        AtomicInteger reached = new AtomicInteger();
        return point -> {
            if (point == Faults.Point.MID_READ && reached.getAndIncrement() < times) {
                throw RunException.passing(
                        new Fault(Code.SOURCE, "pg", "the connection is gone", "look after it"),
                        new IllegalStateException());
            }
        };
    }

    private static List<JsonNode> retries(WeirProject.Said said) {
        return CaseProject.events(said).stream()
                .filter(event -> event.get("event").asText().equals("retry_scheduled"))
                .toList();
    }

    @Test
    void oneAttemptIsNoRetry() {
        graph.limits("retry: { attempts: 1, delay: 1ms }\n");

        WeirProject.Said said = graph.with(failingTimes(1), "run", "a", "--log-format", "json");

        assertThat(said.exitCode()).isEqualTo(1);
        assertThat(retries(said)).isEmpty();
        assertThat(said.out()).contains("the connection is gone");
    }

    @Test
    void asManyAttemptsAreMadeAsTheConnectionSays() {
        graph.limits("retry: { attempts: 4, delay: 1ms, max_delay: 2ms }\n");

        WeirProject.Said saved = graph.with(failingTimes(3), "run", "a", "--log-format", "json");
        WeirProject.Said lost = graph.with(failingTimes(4), "run", "a", "--log-format", "json");

        assertThat(saved.exitCode()).as(saved.all()).isZero();
        assertThat(retries(saved))
                .extracting(event -> event.get("attempt").asInt() + " of "
                        + event.get("maxAttempts").asInt())
                .containsExactly("1 of 4", "2 of 4", "3 of 4");
        assertThat(retries(saved)).allMatch(event -> event.get("delayMs").asLong() <= 3);
        assertThat(lost.exitCode()).isEqualTo(1);
        assertThat(graph.succeeds("run", "a").out()).contains("ok lake.a 5 rows");
        assertThat(graph.lake("SELECT count(*), count(DISTINCT id) FROM a")).containsExactly("10|10");
    }

    @Test
    void rateLimitSpreadsReads() {
        graph.limits("rate_limit: 2/s\n");
        List<Long> reads = Collections.synchronizedList(new ArrayList<>());
        Faults look = point -> {
            if (point == Faults.Point.MID_READ) {
                reads.add(System.nanoTime());
            }
        };

        assertThat(graph.with(look, "run", "--all", "--threads", "2").exitCode())
                .isZero();

        assertThat(reads).hasSize(2);
        assertThat(Duration.ofNanos(Math.abs(reads.get(1) - reads.get(0)))).isGreaterThan(Duration.ofMillis(250));
    }

    @Test
    void aRunThatWaitsForItsTurnStopsWhenCancelled() throws Exception {
        graph.limits("rate_limit: 1/h\n");
        Problems problems = new Problems();
        Project project = ProjectLoader.load(graph.project.directory(), Map.of(), Map.of(), problems);
        Map<String, Connector> connectors = Connectors.all(Clock.systemUTC());
        Plan plan = Planner.draft(project, connectors, problems).plan();
        problems.throwIfAny();
        Cancellation cancellation = new Cancellation();
        CountDownLatch firstPass = new CountDownLatch(1);
        Runner runner = new Runner(
                Clock.systemUTC(),
                cancellation,
                Faults.NONE,
                event -> {
                    if (event instanceof Event.RunCompleted) {
                        firstPass.countDown();
                    }
                },
                note -> {},
                Secrets.redactor(project, connectors));
        RunOptions options =
                new RunOptions(true, 100, false, Duration.ZERO, false, false, OptionalInt.of(1), Duration.ZERO, "run");
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            Future<Integer> exitCode = other.submit(() -> runner.run(plan, Selection.of("a"), options));
            assertThat(comes(firstPass)).isTrue();
            await().atMost(Duration.ofMinutes(1)).until(LimitsTest::somebodyWaits);

            cancellation.cancel();

            assertThat(exitCode.get(30, TimeUnit.SECONDS)).isEqualTo(3);
        } finally {
            other.shutdownNow();
        }
        assertThat(graph.lake("SELECT count(*), count(DISTINCT id) FROM a")).containsExactly("5|5");
    }

    private static boolean somebodyWaits() {
        return Thread.getAllStackTraces().values().stream()
                .anyMatch(frames -> isIn(frames, "dev.weir.run.Pace") && isIn(frames, "dev.weir.run.Cancellation"));
    }

    private static boolean isIn(StackTraceElement[] frames, String type) {
        return Arrays.stream(frames).anyMatch(frame -> frame.getClassName().equals(type));
    }
}
