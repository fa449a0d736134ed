package dev.weir.faults;

import dev.weir.cli.Weir;
import dev.weir.run.Faults;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Weir as a process that comes to harm at one point: the first argument says where, the others are weir's.
 *
 * <p>{@code halt:STAGED:3} dies when it is there for the third time, {@code stick:STAGED:1} stays there for ever, {@code
 * none} is weir itself.
 */
final class DyingWeir {

    static final int HALTED = 137;
    static final String STUCK = "stuck";

    private DyingWeir() {}

    public static void main(String[] arguments) {
        String[] weirs = Arrays.copyOfRange(arguments, 1, arguments.length);
        System.exit(Weir.start(weirs, faults(arguments[0])));
    }

    private static Faults faults(String harm) {
        if (harm.equals("none")) {
            return Faults.NONE;
        }
        String[] parts = harm.split(":");
        Faults.Point where = Faults.Point.valueOf(parts[1]);
        AtomicInteger times = new AtomicInteger(Integer.parseInt(parts[2]));
        Runnable what = parts[0].equals("halt") ? () -> Runtime.getRuntime().halt(HALTED) : DyingWeir::stick;
        return point -> {
            if (point == where && times.decrementAndGet() == 0) {
                what.run();
            }
        };
    }

    private static void stick() {
        System.out.println(STUCK);
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
