package dev.weir.cli;

import static dev.weir.cli.GraphProject.from;
import static dev.weir.cli.GraphProject.merge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.run.Faults;
import dev.weir.testing.WeirProject.Said;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sources that move together are read at the same time, and sinks in different connections written, where there are threads. */
class SideBySideTest {

    private static final String BOTH =
            "SELECT id, v FROM " + from("a") + " UNION ALL SELECT id + 100, v FROM " + from("b");

    @TempDir
    Path folder;

    private GraphProject graph;

    @BeforeEach
    void oneComponent() {
        graph = new GraphProject(folder)
                .pipeline("lake", "INSERT INTO " + merge("lake", "together") + " " + BOTH)
                .pipeline("wh", "INSERT INTO " + merge("wh", "together") + " " + BOTH);
    }

    /** Goes on at that point only when two have come there, the first times that anybody does. */
    private static final class Meeting implements Faults {

        private final Point where;
        private final CyclicBarrier two = new CyclicBarrier(2);
        private final List<Boolean> met = new CopyOnWriteArrayList<>();

        private Meeting(Point where) {
            this.where = where;
        }

        @Override
        public void reached(Point point) {
            if (point == where && met.size() < 2) {
                met.add(comesAnother());
            }
        }

        private boolean comesAnother() {
            try {
                two.await(20, TimeUnit.SECONDS);
                return true;
            } catch (Exception e) {
                return false;
            }
        }
    }

    private void meet(Faults.Point where) {
        Meeting meeting = new Meeting(where);

        Said said = graph.with(meeting, "run", "--all", "--threads", "2");

        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(meeting.met).containsExactly(true, true);
        String count = "SELECT count(*), count(DISTINCT id) FROM together";
        assertThat(graph.lake(count)).containsExactly("10|10");
        assertThat(graph.warehouse(count)).containsExactly("10|10");
    }

    @Test
    void sourcesOfOnePipelineAreReadAtOnce() {
        meet(Faults.Point.MID_READ);
    }

    @Test
    void sinksInTwoConnectionsAreCommittedAtOnce() {
        meet(Faults.Point.BEFORE_SINK_COMMIT);
    }

    @Test
    void withOneThreadTheyGoOneAfterTheOther() {
        List<String> threads = new CopyOnWriteArrayList<>();
        Faults look = point -> {
            if (point == Faults.Point.MID_READ || point == Faults.Point.BEFORE_SINK_COMMIT) {
                threads.add(Thread.currentThread().getName());
            }
        };

        Said said = graph.with(look, "run", "--all", "--threads", "1");

        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(threads).hasSize(4);
        assertThat(threads.subList(0, 4).stream().distinct()).hasSize(1);
    }
}
