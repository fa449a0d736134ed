package dev.weir.connector.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connector.Sink;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.Staged;
import dev.weir.connector.TableName;
import dev.weir.engine.StagedSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Random rows of every type out of Postgres, through DuckDB, and into Postgres again: the same text and the same bytes. */
class RandomRoundTripTest {

    private static final int ROWS = 200;

    private static Bench bench;

    @BeforeContainer
    static void start() {
        bench = new Bench(Path.of("target", "random-round-trip"));
        bench.database.execute("CREATE TYPE pair AS (a int, b text)");
    }

    @AfterContainer
    static void stop() {
        bench.close();
    }

    @Property(tries = 4, shrinking = ShrinkingMode.OFF)
    void everyRowIsTheSameAfterwards(@ForAll long seed) {
        Random random = new Random(seed);
        String rows = IntStream.range(0, ROWS)
                .mapToObj(id -> "(" + id + ", " + RandomValues.row(random) + ")")
                .collect(Collectors.joining(", "));
        bench.database.execute(
                "DROP TABLE IF EXISTS a, b",
                "CREATE TABLE a (id int PRIMARY KEY, " + RandomValues.columns() + ")",
                "CREATE TABLE b (id int PRIMARY KEY, " + RandomValues.columns() + ")",
                "INSERT INTO a VALUES " + rows);
        StagedSource staged = bench.stage(Bench.table("a"));
        SinkWrite how = random.nextBoolean()
                ? new SinkWrite.Append()
                : new SinkWrite.Merge(List.of("id"), Optional.empty(), false);
        try (Sink sink = bench.connector.sink(bench.database.settings(), bench.engine);
                SinkTransaction transaction = sink.begin()) {
            transaction.write(
                    TableName.parse("b"), new Staged(staged.relation(), staged.columns(), staged.rows()), how);
            transaction.commit();
        }
        assertThat(bench.database.rows("SELECT a::text FROM a ORDER BY id"))
                .hasSize(ROWS)
                .isEqualTo(bench.database.rows("SELECT b::text FROM b ORDER BY id"));
        assertThat(BinaryRows.of(bench.database, "SELECT * FROM a ORDER BY id"))
                .isEqualTo(BinaryRows.of(bench.database, "SELECT * FROM b ORDER BY id"));
    }
}
