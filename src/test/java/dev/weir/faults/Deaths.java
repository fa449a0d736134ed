package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.run.Faults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.function.Executable;

/**
 * Projects whose runs die, once or again and again, and a test of what each leaves behind.
 *
 * <p>The first deaths of all projects happen in one process, which costs little more than one death, the second ones in
 * another, and so on.
 */
final class Deaths {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final List<Doomed> projects = new ArrayList<>();
    private final List<DynamicTest> tests = new ArrayList<>();

    private record Doomed(Copy copy, List<Step> steps) {}

    /**
     * A command and its end.
     *
     * @param time which time at the point is its last, from 1
     */
    record Step(Faults.Point point, int time, List<String> command) {

        static Step of(Faults.Point point, int time, String... command) {
            return new Step(point, time, List.of(command));
        }
    }

    /**
     * One project more.
     *
     * @param steps its deaths, in order
     * @param after tests the project, once all have died
     */
    void add(String name, Copy copy, List<Step> steps, Executable after) {
        projects.add(new Doomed(copy, steps));
        tests.add(DynamicTest.dynamicTest(name, after));
    }

    /** How many projects there are so far. */
    int count() {
        return projects.size();
    }

    /** Lets all of them die. */
    Stream<DynamicTest> thenEach() throws InterruptedException {
        int longest = projects.stream()
                .mapToInt(project -> project.steps.size())
                .max()
                .orElseThrow();
        for (int step = 0; step < longest; step++) {
            List<DyingWeirs.Death> deaths = new ArrayList<>();
            for (Doomed project : projects) {
                if (step < project.steps.size()) {
                    deaths.add(new DyingWeirs.Death(project.copy.directory(), project.steps.get(step)));
                }
            }
            die(deaths);
        }
        return tests.stream();
    }

    private static void die(List<DyingWeirs.Death> deaths) throws InterruptedException {
        try (Child child = Child.dying(deaths)) {
            assertThat(child.exitCode(PATIENCE)).as(child.all()).isEqualTo(DyingWeirs.HALTED);
        }
    }
}
