package dev.weir.faults;

import static dev.weir.faults.Copy.Strategy.APPEND;
import static dev.weir.faults.Copy.Strategy.MERGE;
import static dev.weir.faults.Copy.System.DUCKDB;
import static dev.weir.faults.Copy.System.POSTGRES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.faults.Race.Outcome;
import dev.weir.testing.Postgres;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same command, several times at the same moment, again and again, while rows arrive. */
class RaceTest {

    private static final String RUN = "run --all --until-caught-up";
    private static final int ARRIVING = 20;

    private static Race race;

    @TempDir
    Path folder;

    private final Postgres.Database database = Postgres.fresh();
    private Copy copy;
    private int arrived;

    @BeforeAll
    static void start() {
        race = new Race(8);
    }

    @AfterAll
    static void stop() {
        race.close();
    }

    @BeforeEach
    void fill() {
        Copy.fill(database, "t");
        copy = Copy.growing(database, "t", folder);
        copy.into(POSTGRES, "appended", APPEND);
    }

    @Test
    void ofTwoOneWorksAndTheOtherSaysWhoDoesFiftyTimes() {
        for (int round = 0; round < 50; round++) {
            oneWorks(2);
        }
    }

    @Test
    void ofEightOneWorksAndTheOthersSayWhoDoesFiftyTimes() {
        for (int round = 0; round < 50; round++) {
            oneWorks(8);
        }
    }

    private void oneWorks(int racers) {
        rowsArrive();

        List<Outcome> outcomes =
                race.run(folder, Collections.nCopies(racers, RUN).toArray(String[]::new));

        List<Long> pids = outcomes.stream().map(Outcome::pid).toList();
        for (Outcome outcome : outcomes) {
            if (outcome.exitCode() != 0) {
                assertThat(outcome.exitCode()).as(outcome.said()).isEqualTo(1);
                assertThat(outcome.holder()).isIn(pids).isNotEqualTo(outcome.pid());
            }
        }
        assertThat(outcomes.stream().filter(outcome -> outcome.rows() > 0)).hasSize(1);
        isExact();
    }

    @Test
    void ofEightThatWaitEachGetsItsTurn() {
        for (int round = 0; round < 3; round++) {
            rowsArrive();

            List<Outcome> outcomes =
                    race.run(folder, Collections.nCopies(8, RUN + " --wait 5m").toArray(String[]::new));

            assertThat(outcomes).allMatch(outcome -> outcome.exitCode() == 0);
            assertThat(outcomes.stream().filter(outcome -> outcome.rows() > 0)).hasSize(1);
            isExact();
        }
    }

    @Test
    void differentPipelinesOverOneEntityNeverLoadItAtOnce() {
        copy.into(DUCKDB, "merged", MERGE);
        for (int round = 0; round < 10; round++) {
            rowsArrive();

            List<Outcome> outcomes = race.run(folder, "run appended --until-caught-up", "run merged --until-caught-up");

            for (Outcome outcome : outcomes) {
                if (outcome.exitCode() != 0) {
                    Outcome other = outcomes.get(outcome == outcomes.get(0) ? 1 : 0);
                    assertThat(outcome.holder()).isEqualTo(other.pid());
                    assertThat(other.exitCode()).as(other.said()).isZero();
                }
            }
        }
        copy.succeeds(RUN.split(" "));
        isExact();
        copy.holdsTheRows(DUCKDB, "merged");
    }

    private void rowsArrive() {
        database.execute("INSERT INTO t SELECT g, g % 7, g / 100.0, md5(g::text), timestamp '2024-01-01'"
                + " FROM generate_series(" + (2000 + arrived) + ", " + (2000 + arrived + ARRIVING - 1) + ") AS g");
        arrived += ARRIVING;
    }

    /** Each row once, the mark at the newest of them, and as many delivered as there are: it never went back. */
    private void isExact() {
        copy.holdsTheRows(POSTGRES, "appended");
        assertThat(copy.mark(POSTGRES, "appended")).isEqualTo((2000 + arrived - 1) + "|" + (Copy.ROWS + arrived));
    }
}
