package dev.weir.faults;

import static dev.weir.faults.Copy.Strategy.APPEND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.faults.Copy.System;
import dev.weir.faults.Race.Outcome;
import dev.weir.run.Faults;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several processes at the chunks of one plan, into tables that would show a chunk that came twice. */
class SharedBackfillTest {

    /** All sixty rows of the source; few of the chunks hold some. */
    private static final String BACKFILL = "backfill out --from 1 --to 1031 --window 40";

    private static final int CHUNKS = 26;
    private static final String WAITING = BACKFILL + " --wait 60s";

    private static Race race;

    @TempDir
    Path folder;

    private final Postgres.Database database = Postgres.fresh();

    @BeforeAll
    static void start() {
        race = new Race(3);
    }

    @AfterAll
    static void stop() {
        race.close();
    }

    @BeforeEach
    void fill() {
        Copy.fill(database, "t");
    }

    private Copy into(System system) {
        return into(folder, system);
    }

    private Copy into(Path directory, System system) {
        return Copy.of(database, "t", directory).into(system, "out", APPEND);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES", "DUCKDB"})
    void threeThatWaitShareTheChunksAndNoneIsDoneTwice(System system) {
        // A chunk takes longer than a look at it, or the first would be through with all before the others came.
        database.execute("CREATE VIEW slow AS WITH pause AS MATERIALIZED (SELECT pg_sleep(0.1))"
                + " SELECT t.* FROM pause CROSS JOIN t");
        Copy copy = Copy.of(database, "slow", folder).into(system, "out", APPEND);

        List<Outcome> outcomes =
                race.run(folder, Collections.nCopies(3, WAITING).toArray(String[]::new));

        assertThat(outcomes).allMatch(outcome -> outcome.exitCode() == 0, outcomes.toString());
        copy.isCovered(CHUNKS, "out", system);
        assertThat(attempts(copy)).containsExactly("1|" + CHUNKS);
        assertThat(inState(copy, "SELECT DISTINCT claimed_by FROM backfill_chunks"))
                .as("who did some of them: %s", outcomes)
                .hasSizeGreaterThan(1);
    }

    /** The first chunk is held by a process that stands still, and is killed then. */
    @Test
    void aChunkHeldElsewhereIsReportedAndTakenOverByThoseThatWaitWhenItsHolderDies() throws Exception {
        Copy copy = into(System.DUCKDB);
        try (Child holder = Child.stickingAt(Faults.Point.STAGED, folder, BACKFILL.split(" "))) {
            holder.awaitLines(1, StickingWeir.STUCK::equals);

            WeirProject.Said impatient = copy.project().run((BACKFILL + " --log-format json").split(" "));

            assertThat(impatient.exitCode()).as(impatient.all()).isEqualTo(1);
            assertThat(impatient.out()).contains("\"status\":\"claimed_elsewhere\"");
            assertThat(inState(copy, "SELECT status, count(*) FROM backfill_chunks GROUP BY status ORDER BY status"))
                    .containsExactly("completed|" + (CHUNKS - 1), "running|1");
            CompletableFuture<List<Outcome>> waiting =
                    CompletableFuture.supplyAsync(() -> race.run(folder, WAITING, WAITING));
            TimeUnit.MILLISECONDS.sleep(500);
            assertThat(waiting).isNotDone();
            holder.kill();

            assertThat(waiting.get())
                    .allMatch(outcome -> outcome.exitCode() == 0, waiting.get().toString());
            assertThat(holder.exitCode()).isEqualTo(128 + 9);
        }
        copy.isCovered(CHUNKS, "out", System.DUCKDB);
        assertThat(attempts(copy)).containsExactly("1|" + (CHUNKS - 1), "2|1");
    }

    /** Who comes second to a row is refused it, whoever that is. */
    @Test
    void aRunAndTwoPlansThatWouldAppendTheSameRowsNeverDoubleOne() throws IOException {
        for (int round = 0; round < 2; round++) {
            Path directory = Files.createDirectory(folder.resolve("round" + round));
            Copy copy = into(directory, System.POSTGRES);

            List<Outcome> outcomes = race.run(
                    directory,
                    "run --all --until-caught-up",
                    "backfill out --from 1 --to 1031 --window 10 --concurrency 2",
                    "backfill out --from 4 --to 1028 --window 14");

            assertThat(outcomes).anyMatch(outcome -> outcome.said().contains("WR0602"), outcomes.toString());
            assertThat(copy.sinkRows(System.POSTGRES, "out"))
                    .as(outcomes.toString())
                    .isNotEmpty()
                    .doesNotHaveDuplicates()
                    .isSubsetOf(copy.sourceRows());
        }
    }

    /** How many chunks were tried so often. */
    private static List<String> attempts(Copy copy) {
        return inState(copy, "SELECT attempts, count(*) FROM backfill_chunks GROUP BY attempts ORDER BY attempts");
    }

    private static List<String> inState(Copy copy, String query) {
        return copy.project().sqliteRows(".weir/state.db", query);
    }
}
