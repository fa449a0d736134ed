package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.run.Faults;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sink has committed and its position cannot be written into state: the pass fails and says so, nothing is lost. */
class StateUnwritableTest {

    private static final String STATE = ".weir/state.db";

    @TempDir
    Path folder;

    private final Postgres.Database database = Postgres.fresh();

    @Test
    void thePassFailsWithItsCodeAndTheNextRunAdoptsTheMark() {
        Copy.fill(database, "t");
        Copy copy = Copy.of(database, "t", folder).into(Copy.System.POSTGRES, "out", Copy.Strategy.APPEND);
        AtomicInteger passes = new AtomicInteger();

        WeirProject.Said said = copy.project()
                .run(
                        Clock.systemUTC(),
                        point -> {
                            if (point == Faults.Point.BEFORE_STATE_WRITE && passes.incrementAndGet() == 3) {
                                copy.project()
                                        .sqlite(
                                                STATE,
                                                "CREATE TRIGGER broken BEFORE INSERT ON position_history BEGIN"
                                                        + " SELECT RAISE(ABORT, 'the disk is broken'); END");
                            }
                        },
                        Copy.RUN);

        assertThat(said.exitCode()).as(said.all()).isEqualTo(1);
        assertThat(said.all())
                .contains("WR0527", "the positions were not written: ", "the disk is broken", "stopped: run failed");
        assertThat(copy.mark(Copy.System.POSTGRES, "out")).isEqualTo("30|30");
        assertThat(copy.state()).contains("current  20  run ");

        copy.project().sqlite(STATE, "DROP TRIGGER broken");
        assertThat(copy.catchUp().all()).contains("state said 20, the sink's mark says 30: the mark is adopted");
        copy.isExact(Copy.System.POSTGRES, "out");
    }
}
