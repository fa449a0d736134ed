package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CaseProject.Into;
import dev.weir.run.Faults;
import dev.weir.testing.WeirProject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What late rows refer to is committed as late as they are. Rule: contract, sections 3.2 and 4.1. */
class SettlingReferencesTest extends SettlingCase {

    @Test
    void aRowThatSettledBetweenTwoPassesFindsWhatWasCommittedWithIt() throws SQLException {
        tables(
                Into.DUCKDB,
                TABLE,
                "CREATE TABLE kinds (kind text PRIMARY KEY)",
                "INSERT INTO kinds VALUES ('old')",
                "INSERT INTO t (v) SELECT 'old' FROM generate_series(1, 30)");
        copy.pipeline(
                "SELECT t.id, kinds.kind AS v FROM {{ source('pg', 'public.t') }} AS t"
                        + " JOIN {{ source('pg', 'public.kinds') }} AS kinds ON kinds.kind = t.v",
                "strategy: 'merge', keys: ['id']");
        copy.sync(PATIENT).succeeded("run", "--all");
        Connection writer = writes("INSERT INTO kinds VALUES ('new')");
        execute(writer, "INSERT INTO t (v) VALUES ('new')");
        copy.given("INSERT INTO t (v) VALUES ('old')");
        AtomicInteger passes = new AtomicInteger();
        Faults commitsAfterTheFirstPass = point -> {
            if (point == Faults.Point.BEFORE_FINAL_STATUS && passes.incrementAndGet() == 1) {
                committing(writer).run();
            }
        };

        WeirProject.Said said = copy.project.run(Clock.systemUTC(), commitsAfterTheFirstPass, LOOP);

        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(passes).hasValueGreaterThan(2);
        copy.isExact(ALL);
    }
}
