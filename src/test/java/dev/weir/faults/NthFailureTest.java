package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.faults.Few.Sinks;
import dev.weir.faults.OneFailureAPass.Failure;
import dev.weir.faults.OneFailureAPass.Spot;
import dev.weir.testing.FaultyWire;
import dev.weir.testing.FaultyWire.Fate;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The connection breaks at the N-th message, for every N of what source or sink say in a pass; afterwards each sink holds
 * each row once.
 *
 * <p>One message of each turn of the talk in one way each; {@code -Dweir.failures=all} takes every message in every way.
 */
class NthFailureTest {

    private static final boolean ALL = "all".equals(System.getProperty("weir.failures"));

    /** Passes of a run before what they say is always the same: the first creates, the second finds. */
    private static final int SETTLING = 2;

    /** How many messages of a first run are failed, unless all are. */
    private static final int FIRST_RUNS = 10;

    private static final String[] IN_ORDER = {"--pause", "1ms"};

    @TempDir
    Path folder;

    private final Postgres.Database database = Postgres.fresh();

    /** The ways in which a connection breaks at a message. */
    private static final List<Fate> FATES = List.of(Fate.CUT_BEFORE, Fate.CUT_AFTER, new Fate.Cut(3), Fate.RESET);

    /** With a pause nothing is read ahead, so that each pass says the same things in the same order. */
    @ParameterizedTest
    @EnumSource
    void aPassThatLosesItsConnectionAnywhereIsDoneAgainFromCleanStaging(Sinks sinks) throws IOException {
        List<Failure> failures = failures(sinks, settled(sinks));
        OneFailureAPass plan = new OneFailureAPass(SETTLING, failures);

        WeirProject.Said said = sweep(sinks, plan, failures.size(), IN_ORDER);

        // After a ROLLBACK that was cut off, a pass begins with a login, and says other things there.
        assertThat(plan.met()).hasSizeGreaterThan(failures.size() * 9 / 10);
        if (sinks == Sinks.POSTGRES) {
            for (String table : Few.TABLES) {
                assertThat(said.err())
                        .contains(table + ": the answer to a COMMIT was lost; the mark shows that it took effect");
            }
        }
    }

    /** What is said by whom is a matter of chance here, and so is which of the failures are met. */
    @ParameterizedTest
    @EnumSource
    void soIsOneBesideWhichTheNextSliceIsRead(Sinks sinks) throws IOException {
        List<Failure> all = failures(sinks, settled(sinks));
        List<Failure> failures = IntStream.range(0, all.size())
                .filter(i -> i % 3 == 0)
                .mapToObj(all::get)
                .toList();
        OneFailureAPass plan = new OneFailureAPass(SETTLING, failures);

        sweep(sinks, plan, failures.size());

        assertThat(plan.met()).hasSizeGreaterThan(failures.size() / 10);
    }

    private WeirProject.Said sweep(Sinks sinks, OneFailureAPass plan, int failures, String... options)
            throws IOException {
        try (FaultyWire wire = new FaultyWire(database.port(), plan)) {
            Few few = few(sinks, "swept", wire, SETTLING + failures + 1, 3);
            WeirProject.Said said = few.run(plan::passBegins, options);
            assertThat(said.exitCode()).as(said.all()).isZero();
            assertThat(few.wrong()).isEmpty();
            assertThat(said.err()).doesNotContain("Exception", "\tat ");
            assertThat(said.out()).contains("\"event\":\"retry_scheduled\"");
            return said;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFirstRunThatFailsAnywhereAndDoesNotTryAgainIsCompletedByTheNext(Sinks sinks) throws IOException {
        int all = messagesOfARun(sinks);
        int step = ALL ? 1 : all / FIRST_RUNS;
        int failed = 0;
        for (int number = 1; number <= all; number += step) {
            Fate fate = FATES.get(number / step % FATES.size());
            try (FaultyWire wire = new FaultyWire(database.port(), FaultyWire.Plan.at(number, fate))) {
                Few few = few(sinks, "first" + number, wire, 2, 1);
                WeirProject.Said first = few.run(() -> {});
                if (first.exitCode() != 0) {
                    failed++;
                    assertThat(first.exitCode()).as(first.all()).isEqualTo(1);
                    assertThat(first.all())
                            .as("message " + number + ", " + fate)
                            .containsPattern("WR050[13]")
                            .doesNotContain("Exception", "\tat ");
                    WeirProject.Said second = few.run(() -> {});
                    assertThat(second.exitCode()).as(second.all()).isZero();
                }
                assertThat(few.wrong()).as("message " + number + ", " + fate).isEmpty();
            }
        }
        assertThat(failed).as("runs that failed: " + sinks).isGreaterThan(1);
    }

    private int messagesOfARun(Sinks sinks) throws IOException {
        try (FaultyWire wire = new FaultyWire(database.port(), FaultyWire.Plan.NONE)) {
            few(sinks, "counted", wire, 2, 1).run(() -> {});
            return wire.messages();
        }
    }

    private Few few(Sinks sinks, String name, FaultyWire wire, int rows, int attempts) throws IOException {
        Path directory = Files.createDirectory(folder.resolve(name));
        boolean reads = sinks == Sinks.DUCKDB;
        int direct = database.port();
        return Few.of(
                database, directory, sinks, reads ? wire.port() : direct, reads ? direct : wire.port(), rows, attempts);
    }

    /** What is said in a pass when nothing is in its way. */
    private List<Spot> settled(Sinks sinks) throws IOException {
        OneFailureAPass plan = new OneFailureAPass(0, List.of());
        List<List<Spot>> passes = new ArrayList<>();
        try (FaultyWire wire = new FaultyWire(database.port(), plan)) {
            few(sinks, "measured", wire, SETTLING + 2, 1)
                    .run(
                            () -> {
                                passes.add(plan.seen());
                                plan.passBegins();
                            },
                            IN_ORDER);
        }
        return passes.get(SETTLING + 1);
    }

    private static List<Failure> failures(Sinks sinks, List<Spot> spots) {
        List<Failure> failures = new ArrayList<>();
        int turns = spots.get(spots.size() - 1).turn();
        for (int turn = 1; turn <= turns; turn++) {
            int of = turn;
            List<Spot> said = spots.stream().filter(spot -> spot.turn() == of).toList();
            if (ALL) {
                said.forEach(spot -> FATES.forEach(fate -> failures.add(new Failure(spot, fate))));
            } else if (sinks == Sinks.DUCKDB) {
                FATES.forEach(fate -> failures.add(new Failure(said.get(failures.size() % said.size()), fate)));
            } else {
                failures.add(new Failure(said.get(turn / 2 * 3 % said.size()), FATES.get((turn / 2 + turn / 8) % 4)));
            }
        }
        return failures;
    }
}
