package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.run.Faults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.function.Executable;

/** Runs that all die in one process, which costs little more than one death, and a test of each project they leave behind. */
final class Deaths {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final List<DyingWeirs.Death> deaths = new ArrayList<>();
    private final List<DynamicTest> tests = new ArrayList<>();

    /**
     * One death more.
     *
     * @param time which time at the point is its last, from 1
     * @param after tests the project, once all have died
     */
    void add(String name, Copy copy, Faults.Point point, int time, Executable after, String... command) {
        // Sixty rows are one task; a second thread of DuckDB would only spin while the first waits for the source.
        copy.project().file("weir.yml", "threads: 1\n");
        deaths.add(new DyingWeirs.Death(copy.directory(), point, time, List.of(command)));
        tests.add(DynamicTest.dynamicTest(name, after));
    }

    /** How many there are so far. */
    int count() {
        return deaths.size();
    }

    /** Lets all of them die. */
    Stream<DynamicTest> thenEach() throws InterruptedException {
        try (Child child = Child.dying(deaths)) {
            assertThat(child.exitCode(PATIENCE)).as(child.all()).isEqualTo(DyingWeirs.HALTED);
        }
        return tests.stream();
    }
}
