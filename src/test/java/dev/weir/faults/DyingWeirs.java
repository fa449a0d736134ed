package dev.weir.faults;

import dev.weir.cli.Weir;
import dev.weir.run.Faults;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Several weirs, each in a project of its own, in one process that dies when each is at the point where it is to die.
 *
 * <p>One after the other goes to its point and stays there: what it has read, written and locked by then is all it ever
 * does.
 */
final class DyingWeirs {

    static final int HALTED = 137;

    private DyingWeirs() {}

    /** What dies where. */
    record Death(Path project, Deaths.Step step) {

        private List<String> toArguments() {
            List<String> arguments = new ArrayList<>(List.of(
                    Integer.toString(3 + step.command().size()),
                    project.toString(),
                    step.point().name(),
                    Integer.toString(step.time())));
            arguments.addAll(step.command());
            return arguments;
        }

        private static Death parse(List<String> words) {
            return new Death(
                    Path.of(words.get(0)),
                    new Deaths.Step(
                            Faults.Point.valueOf(words.get(1)),
                            Integer.parseInt(words.get(2)),
                            words.subList(3, words.size())));
        }

        private String[] toWeir() {
            List<String> arguments = new ArrayList<>(step.command());
            arguments.addAll(List.of("--project", project.toString()));
            return arguments.toArray(String[]::new);
        }
    }

    /** Those that wait in the middle of a read come last: DuckDB keeps a core busy with waiting. */
    static String[] arguments(List<Death> deaths) {
        return deaths.stream()
                .sorted(Comparator.comparing(death -> death.step.point() == Faults.Point.MID_READ))
                .flatMap(death -> death.toArguments().stream())
                .toArray(String[]::new);
    }

    public static void main(String[] arguments) throws InterruptedException {
        List<String> words = Arrays.asList(arguments);
        while (!words.isEmpty()) {
            int end = 1 + Integer.parseInt(words.get(0));
            goToThePoint(Death.parse(words.subList(1, end)));
            words = words.subList(end, words.size());
        }
        Runtime.getRuntime().halt(HALTED);
    }

    private static void goToThePoint(Death death) throws InterruptedException {
        AtomicBoolean isThere = new AtomicBoolean();
        CountDownLatch thereOrEnded = new CountDownLatch(1);
        Faults faults = StickingWeir.at(death.step.point(), death.step.time(), () -> {
            isThere.set(true);
            thereOrEnded.countDown();
            StickingWeir.stayForEver();
        });
        new Thread(() -> {
                    Weir.start(death.toWeir(), faults);
                    thereOrEnded.countDown();
                })
                .start();
        thereOrEnded.await();
        if (!isThere.get()) {
            System.out.println(death + " ended without coming there");
            Runtime.getRuntime().halt(1);
        }
    }
}
