package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.run.Faults;
import dev.weir.testing.Postgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Deaths between the commits of one pipeline, which writes two tables of one system and one of each of two others. */
class GraphCrashTest {

    private static final List<Faults.Point> BETWEEN_COMMITS = List.of(
            Faults.Point.BEFORE_SINK_COMMIT,
            Faults.Point.AFTER_SINK_COMMIT,
            Faults.Point.BEFORE_STATE_WRITE,
            Faults.Point.AFTER_STATE_WRITE);

    /** Three commits a slice: those of the first, and one behind the jump. */
    private static final int[] TIMES = {1, 2, 3, 11};

    @TempDir
    Path folder;

    @TestFactory
    Stream<DynamicTest> theSameCommandAgainMakesEverySinkEqualTheSource() throws IOException, InterruptedException {
        Postgres.Database database = Postgres.fresh();
        Copy.fill(database, "t");
        Deaths deaths = new Deaths();
        for (Faults.Point point : BETWEEN_COMMITS) {
            for (int time : TIMES) {
                String name = point + " time " + time;
                Copy copy = copy(database, name);
                deaths.add(name, copy, List.of(Deaths.Step.of(point, time, Copy.RUN)), () -> recovers(copy));
            }
        }
        return deaths.thenEach();
    }

    private Copy copy(Postgres.Database database, String name) throws IOException {
        String directory = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
        Copy copy = Copy.of(database, "t", Files.createDirectory(folder.resolve(directory)));
        copy.project()
                .file("pipelines/stg.sql", "SELECT id, customer, price, note, placed FROM {{ source('pg', 't') }}\n")
                .file("pipelines/everywhere.sql", """
                        INSERT INTO {{ sink('lake', 'merged', strategy: 'merge', keys: ['id']) }},
                            {{ sink('lake', 'appended', strategy: 'append', delivery: 'exactly_once') }},
                            {{ sink('wh', '%s', strategy: 'append', delivery: 'exactly_once') }},
                            {{ sink('lite', 'appended', strategy: 'append', delivery: 'exactly_once') }}
                        SELECT * FROM {{ ref('stg') }}
                        """.formatted(copy.inPostgres("appended")));
        return copy;
    }

    private static void recovers(Copy copy) {
        copy.catchUp();

        List<String> expected = copy.sourceRows();
        assertThat(copy.sinkRows(Copy.System.DUCKDB, "merged")).containsExactlyElementsOf(expected);
        assertThat(copy.sinkRows(Copy.System.DUCKDB, "appended")).containsExactlyElementsOf(expected);
        assertThat(copy.sinkRows(Copy.System.POSTGRES, "appended")).containsExactlyElementsOf(expected);
        assertThat(copy.sinkRows(Copy.System.SQLITE, "appended")).containsExactlyElementsOf(expected);
        assertThat(copy.state()).contains("  current  " + Copy.LAST + "  run ").doesNotContain("ahead");
    }
}
