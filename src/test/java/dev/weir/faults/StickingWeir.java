package dev.weir.faults;

import dev.weir.cli.Weir;
import dev.weir.run.Faults;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Weir as a process that stays at one point until it is told a line, or for ever: the first argument says where,
 * {@code none} for nowhere, the others are weir's.
 */
final class StickingWeir {

    static final String STUCK = "stuck";

    private StickingWeir() {}

    public static void main(String[] arguments) {
        String[] weirs = Arrays.copyOfRange(arguments, 1, arguments.length);
        System.exit(Weir.start(weirs, faults(arguments[0])));
    }

    private static Faults faults(String where) {
        if (where.equals("none")) {
            return Faults.NONE;
        }
        return at(Faults.Point.valueOf(where), 1, StickingWeir::stick);
    }

    /** Something happens at a point, when weir is there for the so-manieth time. */
    static Faults at(Faults.Point where, int time, Runnable what) {
        AtomicInteger times = new AtomicInteger(time);
        return point -> {
            if (point == where && times.decrementAndGet() == 0) {
                what.run();
            }
        };
    }

    private static void stick() {
        System.out.println(STUCK);
        try {
            System.in.read();
        } catch (IOException e) {
            stayForEver();
        }
    }

    static void stayForEver() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
