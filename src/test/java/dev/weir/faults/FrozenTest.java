package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.faults.Copy.Strategy;
import dev.weir.faults.Copy.System;
import dev.weir.run.Faults.Point;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that is stopped with SIGSTOP in the middle of its work, and goes on when others have been there. */
class FrozenTest {

    @TempDir
    Path folder;

    private final Postgres.Database database = Postgres.fresh();

    @BeforeEach
    void fill() {
        Copy.fill(database, "t");
    }

    @Test
    void whoIsFrozenKeepsTheEntityIsNamedAndFinishes() throws Exception {
        Copy copy = Copy.of(database, "t", folder).into(System.POSTGRES, "out", Strategy.APPEND);
        try (Child frozen = Child.frozenAt(Point.STAGED, folder, Copy.RUN)) {
            String[][] refused = {
                Copy.RUN,
                {"run", "--all", "--wait", "1s"},
                {"state", "set", "pg.t", "--value", "5", "--reason", "a trial"},
            };
            for (String[] command : refused) {
                WeirProject.Said said = copy.project().run(command);

                assertThat(said.exitCode()).as(said.all()).isEqualTo(1);
                assertThat(said.all())
                        .contains("WR0520 pg.public.t: it is being loaded, or edited, by process " + frozen.pid()
                                + " on ");
            }
            frozen.goOn();

            assertThat(frozen.exitCode()).as(frozen.all()).isZero();
        }
        copy.isExact(System.POSTGRES, "out");
    }

    /** The project, and another in a folder of its own that has the same name and the same sink, and knows nothing of it. */
    private record Twins(Copy one, Copy other) {}

    private Twins twins(System system) throws IOException {
        Copy one = Copy.of(database, "t", Files.createDirectory(folder.resolve("one")))
                .into(system, "out", Strategy.APPEND);
        one.project().file("weir.yml", "name: twins\nthreads: 1\n");
        return new Twins(one, one.twin(Files.createDirectory(folder.resolve("other"))));
    }

    @ParameterizedTest
    @EnumSource
    void ofTwoProjectsOfOneNameTheOneThatCommitsLastIsFenced(System system) throws Exception {
        Twins twins = twins(system);
        try (Child frozen = Child.frozenAt(Point.STAGED, twins.one.directory(), Copy.RUN)) {
            twins.other.catchUp();
            frozen.goOn();

            assertThat(frozen.exitCode()).as(frozen.all()).isEqualTo(1);
            assertThat(frozen.all()).contains("WR0520 " + twins.one.sinkId(system, "out"));
        }
        twins.one.holdsTheRows(system, "out");
        assertThat(twins.one.mark(system, "out")).isEqualTo(Copy.LAST + "|" + Copy.ROWS);
        twins.one.catchUp();
        twins.one.isExact(system, "out");
    }

    @Test
    void whoWaitsForTheCommitOfOneThatIsFrozenIsFenced() throws Exception {
        Twins twins = twins(System.POSTGRES);
        twins.one.succeeds("run", "--all");
        try (Child frozen = Child.frozenAt(Point.BEFORE_SINK_COMMIT, twins.one.directory(), Copy.RUN)) {
            CompletableFuture<WeirProject.Said> waiting =
                    CompletableFuture.supplyAsync(() -> twins.other.project().run(Copy.RUN));
            await().atMost(Child.PATIENCE).until(() -> waiting.isDone() || isSomebodyWaiting());
            frozen.goOn();

            WeirProject.Said fenced = waiting.get();
            assertThat(fenced.exitCode()).as(fenced.all()).isEqualTo(1);
            assertThat(fenced.all()).contains("WR0520 " + twins.one.sinkId(System.POSTGRES, "out"));
            assertThat(frozen.exitCode()).as(frozen.all()).isZero();
        }
        twins.one.isExact(System.POSTGRES, "out");
    }

    private boolean isSomebodyWaiting() {
        return database.value("SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted AND database ="
                        + " (SELECT oid FROM pg_database WHERE datname = current_database()))")
                .equals("t");
    }

    /** Nobody can overtake who has it open: DuckDB lets one process open a file. */
    @Test
    void aDuckDbFileThatAFrozenProcessHasOpenIsNotWritten() throws Exception {
        Twins twins = twins(System.DUCKDB);
        twins.one.succeeds("run", "--all");
        try (Child frozen = Child.frozenAt(Point.STAGED, twins.one.directory(), Copy.RUN)) {
            WeirProject.Said refused = twins.other.project().run(Copy.RUN);

            assertThat(refused.exitCode()).as(refused.all()).isEqualTo(1);
            assertThat(refused.all()).contains("(PID " + frozen.pid() + ")");
            frozen.goOn();

            assertThat(frozen.exitCode()).as(frozen.all()).isZero();
        }
        twins.one.isExact(System.DUCKDB, "out");
    }
}
