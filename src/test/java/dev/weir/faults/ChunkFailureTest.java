package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.faults.Few.Sinks;
import dev.weir.testing.FaultyWire;
import dev.weir.testing.FaultyWire.Fate;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The connection breaks at the N-th message of what source or sink say in a backfill, for some N from the first to the last;
 * afterwards the sink holds each row once. {@code -Dweir.failures=all} takes every N.
 */
class ChunkFailureTest {

    private static final boolean ALL = "all".equals(System.getProperty("weir.failures"));
    private static final int SOME = 9;
    private static final int ROWS = 2;
    private static final List<Fate> FATES = List.of(Fate.CUT_BEFORE, Fate.CUT_AFTER, new Fate.Cut(3), Fate.RESET);

    @TempDir
    Path folder;

    private final Postgres.Database database = Postgres.fresh();

    @ParameterizedTest
    @EnumSource
    void aChunkThatLosesItsConnectionAnywhereIsCompletedByTheNextTryOrTheNextCommand(Sinks sinks) throws IOException {
        int all;
        try (FaultyWire wire = new FaultyWire(database.port(), FaultyWire.Plan.NONE)) {
            assertThat(few(sinks, "counted", wire, 1).backfill().exitCode()).isZero();
            all = wire.messages();
        }
        int step = ALL ? 1 : all / SOME;
        int failed = 0;
        for (int number = 1; number <= all; number += step) {
            Fate fate = FATES.get(number / step % FATES.size());
            int attempts = 1 + number / step % 2;
            String met = "message " + number + " of " + all + ", " + fate + ", " + attempts + " attempts";
            try (FaultyWire wire = new FaultyWire(database.port(), FaultyWire.Plan.at(number, fate))) {
                Few few = few(sinks, "chunks" + number, wire, attempts);
                WeirProject.Said first = few.backfill();
                assertThat(first.all()).as(met).doesNotContain("Exception", "\tat ");
                if (first.exitCode() != 0) {
                    failed++;
                    assertThat(first.exitCode()).as(met + first.all()).isEqualTo(1);
                    assertThat(first.all()).as(met).containsPattern("WR050[13]");
                    WeirProject.Said second = few.backfill();
                    assertThat(second.exitCode()).as(met + second.all()).isZero();
                }
                assertThat(few.wrongChunks()).as(met).isEmpty();
            }
        }
        assertThat(failed).as("backfills that failed").isPositive();
    }

    private Few few(Sinks sinks, String name, FaultyWire wire, int attempts) throws IOException {
        Path directory = Files.createDirectory(folder.resolve(name));
        boolean reads = sinks == Sinks.DUCKDB;
        int direct = database.port();
        return Few.of(
                database, directory, sinks, reads ? wire.port() : direct, reads ? direct : wire.port(), ROWS, attempts);
    }
}
