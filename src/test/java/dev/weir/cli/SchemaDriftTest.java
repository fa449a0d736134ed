package dev.weir.cli;

import static dev.weir.cli.GraphProject.from;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.run.Faults;
import dev.weir.run.Faults.Point;
import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A loop of 200 passes, during which another session alters the source's table again and again. */
class SchemaDriftTest {

    private static final int PASSES = 200;
    private static final String[] LOOP = {"run", "--all", "--until-caught-up", "--max-runs", "" + (PASSES + 1)};

    @TempDir
    Path folder;

    private GraphProject graph;

    @BeforeEach
    void twoRowsAPass() {
        graph = new GraphProject(folder)
                .given(
                        "CREATE TABLE t (id bigint PRIMARY KEY, n integer, v text)",
                        "INSERT INTO t SELECT g, 7, 'v' FROM generate_series(1, " + 2 * PASSES + ") g")
                .sync("t", "cursor: id, max_window: 2, initial: 0, until: " + 2 * PASSES);
    }

    /** @param sinks the connections that are written to */
    private void copying(String policy, String... sinks) {
        String sink = "{{ sink('%s', 't', strategy: 'merge', keys: ['id'], on_schema_change: '" + policy + "') }}";
        graph.pipeline(
                "copy",
                "INSERT INTO "
                        + Stream.of(sinks).map(sink::formatted).collect(Collectors.joining(", "))
                        + " SELECT * FROM " + from("t"));
    }

    /**
     * The other session: what each column of the source holds in every row, from change to change, and how many changes
     * there were when each pass had read. It may have read any time since the pass before had.
     */
    private final class Session implements Faults {

        private final Random random;
        private final boolean retypes;
        private final Map<String, String> now = new TreeMap<>(Map.of("n", "7", "v", "v"));
        private final List<Map<String, String>> versions = new ArrayList<>(List.of(Map.copyOf(now)));
        private final List<Integer> read = new ArrayList<>();
        private int made;
        private int changes;

        Session(long seed, boolean retypes) {
            this.random = new Random(seed);
            this.retypes = retypes;
        }

        @Override
        public void reached(Point point) {
            if (point == Point.STAGED) {
                read.add(versions.size() - 1);
            }
            boolean mayChange = point == Point.COMPARED || point == Point.STAGED || point == Point.AFTER_SINK_COMMIT;
            if (mayChange && random.nextInt(6) == 0) {
                change();
                versions.add(Map.copyOf(now));
                changes++;
            }
        }

        private void change() {
            List<String> names =
                    now.keySet().stream().filter(name -> !name.equals("n")).toList();
            int what = random.nextInt(retypes ? 4 : 3);
            String old = names.isEmpty() ? "" : names.get(random.nextInt(names.size()));
            if (what == 0 || old.isEmpty()) {
                String name = "c" + made++;
                graph.given("ALTER TABLE t ADD " + name + " integer DEFAULT " + made);
                now.put(name, "" + made);
            } else if (what == 1) {
                graph.given("ALTER TABLE t DROP " + old);
                now.remove(old);
            } else if (what == 2) {
                String name = "r" + made++;
                graph.given("ALTER TABLE t RENAME " + old + " TO " + name);
                now.put(name, now.remove(old));
            } else if (now.get("n").equals("7")) {
                graph.given("ALTER TABLE t ALTER n TYPE bigint USING n + 3000000000");
                now.put("n", "3000000007");
            }
        }

        /** What the source held when a pass may have read it. */
        private List<Map<String, String>> seenBy(int pass) {
            return versions.subList(pass == 0 ? 0 : read.get(pass - 1), read.get(pass) + 1);
        }
    }

    private void everyRowIsAsItsPassReadIt(Session session, List<String> columns, String sink, int passes) {
        String query = "SELECT id, " + String.join(", ", columns) + " FROM t ORDER BY id";
        List<String> rows = sink.equals("lake") ? graph.lake(query) : graph.warehouse(query);
        assertThat(rows).as(sink).hasSize(2 * passes);
        for (int pass = 0; pass < passes; pass++) {
            int first = 2 * pass + 1;
            List<List<String>> allowed = session.seenBy(pass).stream()
                    .map(version -> List.of(row(first, columns, version), row(first + 1, columns, version)))
                    .toList();
            assertThat(rows.subList(first - 1, first + 1))
                    .as(sink + ", pass " + (pass + 1))
                    .isIn(allowed);
        }
    }

    private static String row(int id, List<String> columns, Map<String, String> version) {
        return columns.stream()
                .map(column -> version.getOrDefault(column, "null"))
                .collect(Collectors.joining("|", id + "|", ""));
    }

    @Test
    void addTakesEveryColumnFromThePassInWhichItIsSeen() {
        copying("add", "lake", "wh");
        Session session = new Session(7, true);

        WeirProject.Said said = graph.with(session, LOOP);

        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(session.changes).isGreaterThan(40);
        List<String> columns = graph.lake("SELECT column_name FROM (DESCRIBE t) WHERE column_name <> 'id'");
        assertThat(columns).hasSizeGreaterThan(15).contains("n", "v");
        everyRowIsAsItsPassReadIt(session, columns, "lake", PASSES);
        everyRowIsAsItsPassReadIt(session, columns, "wh", PASSES);
    }

    @Test
    void ignoreKeepsTheTableAsItWasMade() {
        copying("ignore", "wh");
        Session session = new Session(8, false);

        WeirProject.Said said = graph.with(session, LOOP);

        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(session.changes).isGreaterThan(40);
        List<String> columns = graph.warehouse("SELECT column_name FROM information_schema.columns WHERE table_name ="
                + " 't' AND column_name <> 'id' ORDER BY 1");
        assertThat(columns)
                .containsExactlyElementsOf(new TreeMap<>(session.versions.get(session.read.get(0))).keySet());
        everyRowIsAsItsPassReadIt(session, columns, "wh", PASSES);
    }

    @Test
    void failEndsTheLoopAtThePassThatSeesAChangeAndTheNextRunCanGoOn() {
        copying("fail", "lake", "wh");
        Session session = new Session(9, true);

        WeirProject.Said said = graph.with(session, LOOP);

        assertThat(said.exitCode()).isEqualTo(1);
        assertThat(said.all())
                .contains("failed lake.t: WR05")
                .contains("failed wh.t: WR05")
                .contains("stopped: run failed");
        int passes = session.read.size() - 1;
        assertThat(passes).isPositive();
        everyRowIsAsItsPassReadIt(session, List.of("n", "v"), "lake", passes);
        everyRowIsAsItsPassReadIt(session, List.of("n", "v"), "wh", passes);
        assertThat(graph.lake("SELECT value FROM _weir_positions")).containsExactly("" + 2 * passes);

        session.read.remove(passes);
        copying("add", "lake", "wh");
        assertThat(graph.with(session, "run", "--all", "--until-caught-up", "--max-runs", "10")
                        .exitCode())
                .isZero();
        everyRowIsAsItsPassReadIt(session, List.of("n", "v"), "lake", passes + 10);
        everyRowIsAsItsPassReadIt(session, List.of("n", "v"), "wh", passes + 10);
    }
}
