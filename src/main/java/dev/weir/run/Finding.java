package dev.weir.run;

import dev.weir.fault.RunException;

/**
 * One thing {@code weir doctor} found.
 *
 * @param place the connection, {@code connection.entity}, or the sink
 * @param remedy what to do; empty where nothing is to be done
 */
public record Finding(Level level, String place, String what, String remedy) {

    /** How bad it is. */
    public enum Level {
        OK,
        /** A run begins, and does less or more than one might think. */
        WARN,
        /** A run would fail. */
        FAIL
    }

    static Finding ok(String place, String what) {
        return new Finding(Level.OK, place, what, "");
    }

    static Finding warn(String place, String what, String remedy) {
        return new Finding(Level.WARN, place, what, remedy);
    }

    static Finding fail(RunException failure) {
        return new Finding(
                Level.FAIL,
                failure.fault().place(),
                failure.fault().code() + " " + failure.fault().what(),
                failure.fault().remedy());
    }
}
