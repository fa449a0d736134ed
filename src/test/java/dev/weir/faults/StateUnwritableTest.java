package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Postgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sink has committed and its position cannot be written into state: the pass fails and says so, nothing is lost. */
class StateUnwritableTest {

    @TempDir
    Path folder;

    private final Postgres.Database database = Postgres.fresh();

    @Test
    void thePassFailsWithItsCodeAndTheNextRunAdoptsTheMark() throws Exception {
        Copy.fill(database, "t");
        try (Gate gate = Gate.inReads(database, "t", "gated")) {
            Copy copy = Copy.of(database, "gated", folder).into(Copy.System.POSTGRES, "out", Copy.Strategy.APPEND);
            try (Child child = Child.start(folder, Copy.RUN)) {
                gate.awaitSomebody(child);
                try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(".weir/state.db"));
                        Statement statement = other.createStatement()) {
                    statement.execute("BEGIN IMMEDIATE");
                    gate.close();

                    assertThat(child.exitCode()).as(child.all()).isEqualTo(1);
                }
                assertThat(child.all()).contains("WR0527", "stopped: run failed");
            }
            assertThat(copy.mark(Copy.System.POSTGRES, "out")).isEqualTo("30|30");

            assertThat(copy.catchUp().all()).contains("state said 20, the sink's mark says 30: the mark is adopted");
            copy.isExact(Copy.System.POSTGRES, "out");
        }
    }
}
