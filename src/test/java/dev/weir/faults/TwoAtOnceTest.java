package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.testing.Postgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.io.TempDir;

/** Two processes started at the same moment on one project. */
class TwoAtOnceTest {

    @TempDir
    Path folder;

    private final Postgres.Database database = Postgres.fresh();

    @RepeatedTest(3)
    void oneWorksAndTheOtherSaysWhoHoldsTheEntity() throws Exception {
        Copy.fill(database, "t");
        try (Gate gate = Gate.inReads(database, "t", "gated")) {
            Copy copy = Copy.of(database, "gated", folder).into(Copy.System.DUCKDB, "out", Copy.Strategy.APPEND);
            try (Child one = Child.start(folder, Copy.RUN);
                    Child other = Child.start(folder, Copy.RUN)) {
                await().atMost(Child.PATIENCE)
                        .pollInterval(Duration.ofMillis(20))
                        .until(() -> !one.isAlive() || !other.isAlive());
                Child refused = one.isAlive() ? other : one;
                Child works = one.isAlive() ? one : other;
                assertThat(refused.exitCode()).as(refused.all()).isEqualTo(1);
                assertThat(refused.all())
                        .contains("WR0520 pg.public.gated: it is being loaded, or edited, by process " + works.pid()
                                + " on ")
                        .contains(", run ", ", since ");
                assertThat(refused.out()).isEmpty();
                gate.close();

                assertThat(works.exitCode()).as(works.all()).isZero();
            }
            copy.isExact(Copy.System.DUCKDB, "out");
        }
    }

    @RepeatedTest(2)
    void whoWaitsFindsNothingLeft() throws Exception {
        Copy.fill(database, "t");
        try (Gate gate = Gate.inReads(database, "t", "gated")) {
            Copy copy = Copy.of(database, "gated", folder).into(Copy.System.POSTGRES, "out", Copy.Strategy.APPEND);
            String[] patient = {"run", "--all", "--until-caught-up", "--wait", "2m"};
            try (Child one = Child.start(folder, patient);
                    Child other = Child.start(folder, patient)) {
                gate.awaitSomebody(one);
                assertThat(List.of(one.isAlive(), other.isAlive()))
                        .as(one.all() + other.all())
                        .containsOnly(true);
                gate.close();

                assertThat(one.exitCode()).as(one.all()).isZero();
                assertThat(other.exitCode()).as(other.all()).isZero();
                assertThat(List.of(lastLine(one), lastLine(other)))
                        .containsExactlyInAnyOrder(
                                "note: until-caught-up: 7 passes, stopped: caught up",
                                "note: until-caught-up: 1 pass, stopped: caught up");
            }
            copy.isExact(Copy.System.POSTGRES, "out");
        }
    }

    private static String lastLine(Child child) {
        return child.out().get(child.out().size() - 1);
    }
}
