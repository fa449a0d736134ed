package dev.weir.faults;

import static dev.weir.faults.Copy.Strategy.APPEND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.faults.Copy.System;
import dev.weir.faults.Race.Outcome;
import dev.weir.run.Faults;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
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

    /** All sixty rows of the source: half of the chunks hold some. */
    private static final String BACKFILL = "backfill out --from 1 --to 1031 --window 20";

    private static final int CHUNKS = 52;
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
        return Copy.of(database, "t", folder).into(system, "out", APPEND);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES", "DUCKDB"})
    void threeThatWaitShareTheChunksAndNoneIsDoneTwice(System system) {
        Copy copy = into(system);

        List<Outcome> outcomes = race.run(folder, Collections.nCopies(3, WAITING).toArray(String[]::new));

        assertThat(outcomes).allMatch(outcome -> outcome.exitCode() == 0, outcomes.toString());
        copy.isCovered(CHUNKS, "out", system);
        assertThat(attempts(copy)).containsExactly("1|" + CHUNKS);
        assertThat(inState(copy, "SELECT DISTINCT claimed_by FROM backfill_chunks"))
                .as("who did some of them")
                .hasSizeGreaterThan(1);
    }

    /** The first chunk is held by a process that stands still, and is killed then. */
    @Test
    void aChunkHeldElsewhereIsReportedAndTakenOverByThoseThatWaitWhenItsHolderDies() throws Exception {
        Copy copy = into(System.POSTGRES);
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

            assertThat(waiting.get()).allMatch(outcome -> outcome.exitCode() == 0, waiting.get().toString());
            assertThat(holder.exitCode()).isEqualTo(128 + 9);
        }
        copy.isCovered(CHUNKS, "out", System.POSTGRES);
        assertThat(attempts(copy)).containsExactly("1|" + (CHUNKS - 1), "2|1");
    }

    /** How many chunks were tried so often. */
    private static List<String> attempts(Copy copy) {
        return inState(copy, "SELECT attempts, count(*) FROM backfill_chunks GROUP BY attempts ORDER BY attempts");
    }

    private static List<String> inState(Copy copy, String query) {
        return copy.project().sqliteRows(".weir/state.db", query);
    }
}
