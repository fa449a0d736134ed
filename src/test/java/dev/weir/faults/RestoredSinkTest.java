package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.InMemory;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A sink that is older, or emptier, than state remembers: it is believed, and what is missing is loaded. */
class RestoredSinkTest {

    private static final Pattern COMMAND = Pattern.compile("weir (state clear \\S+)");

    @TempDir(factory = InMemory.class)
    Path folder;

    private final Postgres.Database database = Postgres.fresh();

    @ParameterizedTest
    @EnumSource(Copy.Strategy.class)
    void anOlderDuckDbFileIsTakenAsItIs(Copy.Strategy strategy) throws IOException {
        Copy copy = copyInto(Copy.System.DUCKDB, strategy);
        copy.succeeds("run", "--all", "--until-caught-up", "--max-runs", "2");
        Path file = folder.resolve("lake.duckdb");
        Path backup = Files.copy(file, folder.resolve("backup"));
        copy.catchUp();
        Files.copy(backup, file, StandardCopyOption.REPLACE_EXISTING);

        WeirProject.Said said = copy.catchUp();

        assertThat(said.all()).contains("lake.out: state said 1030, the sink's mark says 20: the mark is adopted");
        copy.isExact(Copy.System.DUCKDB, "out");
    }

    @ParameterizedTest
    @EnumSource(Copy.Strategy.class)
    void anOlderPostgresIsTakenAsItIs(Copy.Strategy strategy) {
        Copy copy = copyInto(Copy.System.POSTGRES, strategy);
        String marks = copy.inPostgres("_weir_positions");
        copy.succeeds("run", "--all", "--until-caught-up", "--max-runs", "2");
        database.execute("CREATE TABLE backup AS SELECT * FROM " + marks);
        copy.catchUp();
        database.execute(
                "DELETE FROM " + copy.inPostgres("out") + " WHERE id > 20",
                "DELETE FROM " + marks,
                "INSERT INTO " + marks + " SELECT * FROM backup");

        WeirProject.Said said = copy.catchUp();

        assertThat(said.all())
                .contains(copy.sinkId(Copy.System.POSTGRES, "out")
                        + ": state said 1030, the sink's mark says 20: the mark is adopted");
        copy.isExact(Copy.System.POSTGRES, "out");
    }

    @ParameterizedTest
    @CsvSource({
        "DUCKDB, MERGE, DROP TABLE",
        "DUCKDB, APPEND, DROP TABLE",
        "DUCKDB, APPEND, DELETE FROM",
        "DUCKDB, WINDOW, DELETE FROM",
        "POSTGRES, MERGE, DELETE FROM",
        "POSTGRES, APPEND, DROP TABLE",
        "POSTGRES, APPEND, TRUNCATE",
        "POSTGRES, WINDOW, DROP TABLE",
    })
    void aTableLostWithItsMarkLeftIsRefusedAndThePrintedRemedyRepairsIt(
            Copy.System system, Copy.Strategy strategy, String loss) {
        Copy copy = copyInto(system, strategy);
        copy.catchUp();
        if (system == Copy.System.DUCKDB) {
            copy.project().duck("lake.duckdb", loss + " out");
        } else {
            database.execute(loss + " " + copy.inPostgres("out"));
        }

        WeirProject.Said refused = copy.project().run(Copy.RUN);

        assertThat(refused.exitCode()).as(refused.all()).isEqualTo(1);
        assertThat(refused.all())
                .contains("WR0528 " + copy.sinkId(system, "out"))
                .contains(loss.startsWith("DROP") ? "its table is gone" : "the table is empty")
                .contains("rows of [initial, 1030] are missing");
        Matcher command = COMMAND.matcher(refused.all());
        assertThat(command.find()).isTrue();
        String[] edit = command.group(1).split(" ");
        edit = Arrays.copyOf(edit, edit.length + 2);
        edit[edit.length - 2] = "--reason";
        edit[edit.length - 1] = "the table was lost";
        copy.succeeds(edit);
        copy.catchUp();
        copy.isExact(system, "out");
    }

    @Test
    void aSinkNewerThanStateIsTakenAsItIs() throws IOException {
        Copy copy = copyInto(Copy.System.DUCKDB, Copy.Strategy.APPEND);
        copy.succeeds("run", "--all", "--until-caught-up", "--max-runs", "2");
        Path state = folder.resolve(".weir/state.db");
        Path backup = Files.copy(state, folder.resolve("backup"));
        copy.succeeds("run", "--all", "--until-caught-up", "--max-runs", "2");
        Files.copy(backup, state, StandardCopyOption.REPLACE_EXISTING);

        WeirProject.Said said = copy.catchUp();

        assertThat(said.all()).contains("lake.out: state said 20, the sink's mark says 1000: the mark is adopted");
        copy.isExact(Copy.System.DUCKDB, "out");
    }

    private Copy copyInto(Copy.System system, Copy.Strategy strategy) {
        Copy.fill(database, "t");
        return Copy.of(database, "t", folder).into(system, "out", strategy);
    }
}
