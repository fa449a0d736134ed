package dev.weir.faults;

import dev.weir.cli.Weir;
import dev.weir.run.Faults;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * Weir as a process that says when one of its threads stays in a method: the first argument is its name, as in {@code
 * dev.weir.run.Pace.await}, the others are weir's.
 */
final class WatchedWeir {

    static final String THERE = "there";

    private static final Duration LOOK = Duration.ofMillis(20);

    /** How many looks in a row make a stay. */
    private static final int STAYS = 5;

    private WatchedWeir() {}

    public static void main(String[] arguments) {
        Thread watcher = new Thread(() -> watch(arguments[0]));
        watcher.setDaemon(true);
        watcher.start();
        System.exit(Weir.start(Arrays.copyOfRange(arguments, 1, arguments.length), Faults.NONE));
    }

    private static void watch(String method) {
        int seen = 0;
        while (seen < STAYS) {
            seen = isSomebodyIn(method) ? seen + 1 : 0;
            LockSupport.parkNanos(LOOK.toNanos());
        }
        System.out.println(THERE);
    }

    private static boolean isSomebodyIn(String method) {
        return Thread.getAllStackTraces().values().stream()
                .flatMap(Arrays::stream)
                .anyMatch(frame -> method.equals(frame.getClassName() + "." + frame.getMethodName()));
    }
}
