package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.faults.Copy.Strategy;
import dev.weir.faults.Copy.System;
import dev.weir.run.Faults;
import dev.weir.run.Faults.Point;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What befalls a backfill besides death: its state or its sink is lost, it is stopped, it is in a run's way. */
class BackfillStoriesTest {

    private static final Duration SOON = Duration.ofSeconds(5);

    /** Three chunks, the one in the middle without rows. */
    private static final String[] BACKFILL = {"backfill", "out", "--from", "1", "--to", "1031", "--window", "500"};

    /** Three chunks of ten rows each; the last one comes by the gates. */
    private static final String[] TENS = {"backfill", "out", "--from", "1", "--to", "31", "--window", "10"};

    private static final List<String> ALL_TENS = List.of("completed|3|30");

    @TempDir
    Path folder;

    private final Postgres.Database database = Postgres.fresh();

    @BeforeEach
    void fill() {
        Copy.fill(database, "t");
    }

    private Copy into(System system, Strategy strategy) {
        return Copy.of(database, "t", folder).into(system, "out", strategy);
    }

    private Copy intoEach() {
        return Copy.of(database, "t", folder)
                .intoEach(
                        "out",
                        Map.of(
                                System.DUCKDB, Strategy.APPEND,
                                System.POSTGRES, Strategy.APPEND,
                                System.SQLITE, Strategy.APPEND));
    }

    /** It ends, by a failure of its own, when it is at a point for the so-manieth time. */
    private static void breaksOffAt(Point point, int time, Copy copy, String... command) {
        WeirProject.Said said = copy.project()
                .run(
                        StickingWeir.at(point, time, () -> {
                            throw new IllegalStateException("broken off");
                        }),
                        command);
        assertThat(said.exitCode()).as(said.all()).isEqualTo(1);
    }

    private void loseState() {
        try (var files = Files.newDirectoryStream(folder.resolve(".weir"), "state.db*")) {
            for (Path file : files) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String runsOfChunks(Copy copy) {
        return copy.project()
                .duckRows("lake.duckdb", "SELECT chunk_id, run_id FROM _weir_chunks ORDER BY chunk_id")
                .toString();
    }

    @Test
    void stateThatIsLostBetweenTwoInvocationsIsTakenFromTheSinks() {
        Copy copy = intoEach();
        breaksOffAt(Point.STAGED, 2, copy, BACKFILL);
        String before = runsOfChunks(copy);
        loseState();

        copy.succeeds(BACKFILL);

        copy.isCovered(3, "out", System.values());
        assertThat(runsOfChunks(copy)).startsWith(before.substring(0, before.length() - 1));
    }

    @Test
    void stateThatIsLostInTheMiddleOfAChunkDoublesNothing() {
        for (Point point : List.of(Point.STAGED, Point.AFTER_SINK_COMMIT)) {
            Copy copy = Copy.of(database, "t", folder.resolve(point.name().toLowerCase(Locale.ROOT)))
                    .into(System.DUCKDB, "out", Strategy.APPEND);
            Faults faults = StickingWeir.at(point, 1, () -> lose(copy));

            WeirProject.Said said = copy.project().run(faults, BACKFILL);

            assertThat(said.all()).doesNotContain("\tat ", "Exception");
            copy.succeeds(BACKFILL);
            copy.isCovered(3, "out", System.DUCKDB);
        }
    }

    private static void lose(Copy copy) {
        try {
            Files.delete(copy.directory().resolve(".weir/state.db"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aSinkPutBackToAnEarlierCopyGetsExactlyWhatItLacks() throws IOException {
        Copy copy = into(System.DUCKDB, Strategy.APPEND);
        Path file = folder.resolve("lake.duckdb");
        Path earlier = folder.resolve("earlier.duckdb");
        breaksOffAt(Point.STAGED, 2, copy, TENS);
        Files.copy(file, earlier);
        copy.succeeds(TENS);
        Files.move(earlier, file, StandardCopyOption.REPLACE_EXISTING);

        WeirProject.Said said = copy.succeeds(json(TENS));

        assertThat(said.out().lines().filter(line -> line.contains("\"event\":\"chunk_started\"")))
                .hasSize(2);
        isTens(copy, System.DUCKDB);
    }

    private static String[] json(String... command) {
        String[] json = Arrays.copyOf(command, command.length + 2);
        json[command.length] = "--log-format";
        json[command.length + 1] = "json";
        return json;
    }

    private static void isTens(Copy copy, System system) {
        assertThat(copy.sinkRows(system, "out"))
                .containsExactlyElementsOf(copy.sourceRows().subList(0, 30));
        assertThat(copy.chunks(system, "out")).isEqualTo("3|3|30");
        assertThat(copy.chunksInState()).isEqualTo(ALL_TENS);
    }

    @Test
    void aSignalDuringAReadEndsItSoonAndNothingOfTheChunkIsKept() throws Exception {
        try (Gate gate = Gate.inReads(database, "t", "gated")) {
            Copy copy = Copy.of(database, "gated", folder).into(System.DUCKDB, "out", Strategy.APPEND);

            stopsAt(gate, copy);

            assertThat(copy.sinkRows(System.DUCKDB, "out")).hasSize(20);
            assertThat(copy.chunks(System.DUCKDB, "out")).isEqualTo("2|2|20");
            gate.close();
            copy.succeeds(TENS);
            isTens(copy, System.DUCKDB);
        }
    }

    @Test
    void aSignalWhileASinkHangsEndsItSoonAndNothingOfTheChunkIsKept() throws Exception {
        Copy copy = into(System.POSTGRES, Strategy.MERGE);
        copy.succeeds("run", "--all");
        try (Gate gate = Gate.inWrites(database, copy.inPostgres("out"))) {

            stopsAt(gate, copy);

            assertThat(copy.sinkRows(System.POSTGRES, "out")).hasSize(20);
            assertThat(copy.chunks(System.POSTGRES, "out")).isEqualTo("2|2|20");
            gate.close();
            copy.succeeds(TENS);
            isTens(copy, System.POSTGRES);
        }
    }

    private void stopsAt(Gate gate, Copy copy) throws Exception {
        try (Child child = Child.start(folder, TENS)) {
            gate.awaitSomebody(child);
            child.signal("TERM");

            assertThat(child.exitCode(SOON)).as(child.all()).isEqualTo(3);
            assertThat(child.all()).contains("cancelled").doesNotContain("did not end within");
        }
        assertThat(copy.chunksInState()).containsExactly("completed|2|20", "failed|1|0");
    }

    /** Its process stands still, and holds the range for as long. */
    @Test
    void aRunWaitsForAChunkThatLoadsWhatItWouldReadAndSaysForWhom() throws Exception {
        Copy copy = into(System.POSTGRES, Strategy.MERGE);
        try (Child frozen = Child.frozenAt(Point.STAGED, folder, TENS);
                Child run = Child.start(folder, Copy.RUN)) {
            await().atMost(Child.PATIENCE)
                    .until(() -> run.all().contains("waiting for a chunk of a backfill") || !run.isAlive());
            assertThat(run.all())
                    .contains("waiting for a chunk of a backfill that loads rows of pg.public.t into "
                            + copy.sinkId(System.POSTGRES, "out") + " too: process " + frozen.pid() + " on ");
            assertThat(run.isAlive()).isTrue();
            assertThat(database.value("SELECT to_regclass('" + copy.inPostgres("out") + "')"))
                    .isEqualTo("null");
            frozen.goOn();

            assertThat(frozen.exitCode()).as(frozen.all()).isZero();
            assertThat(run.exitCode()).as(run.all()).isZero();
        }
        copy.isExact(System.POSTGRES, "out");
        assertThat(copy.chunks(System.POSTGRES, "out")).isEqualTo("3|3|30");
        assertThat(copy.chunksInState()).isEqualTo(ALL_TENS);
    }

    /** The run has asked the sink where it stands, and found no table, before the backfill made one and filled it. */
    @ParameterizedTest
    @EnumSource(names = {"WINDOW", "MERGE"})
    void aTableThatABackfillMakesBeforeARunMayLoadHoldsEachRowOnce(Strategy strategy) {
        Copy copy = into(System.POSTGRES, strategy);
        Faults faults = StickingWeir.at(Point.COMPARED, 1, () -> copy.succeeds(TENS));

        WeirProject.Said said = copy.project().run(faults, Copy.RUN);

        assertThat(said.exitCode()).as(said.all()).isZero();
        copy.isExact(System.POSTGRES, "out");
    }
}
