package dev.weir.fault;

import java.util.List;

/**
 * Something failed while a run, or an edit of state, was under way: exit code 1.
 *
 * <p>What the failed transaction held is rolled back; what had committed before stays.
 */
public non-sealed class RunException extends WeirException {

    private enum Kind {
        LASTING,
        PASSING,
        UNREACHABLE
    }

    private final Kind kind;

    private RunException(Fault fault, Throwable cause, Kind kind) {
        super(List.of(fault), cause);
        this.kind = kind;
    }

    public RunException(Fault fault) {
        super(List.of(fault));
        this.kind = Kind.LASTING;
    }

    public RunException(Code code, String place, String what, String remedy) {
        this(new Fault(code, place, what, remedy));
    }

    RunException(Fault fault, Throwable cause) {
        this(fault, cause, Kind.LASTING);
    }

    /** A failure that a later attempt may not meet, of a system that answers: a deadlock, a replica conflict. */
    public static RunException passing(Fault fault, Throwable cause) {
        return new RunException(fault, cause, Kind.PASSING);
    }

    /** A failure that a later attempt may not meet, of a system that gives no answer: a lost connection, a time-out. */
    public static RunException unreachable(Fault fault, Throwable cause) {
        return new RunException(fault, cause, Kind.UNREACHABLE);
    }

    /** A failure that every attempt will meet until somebody acts. */
    public static RunException lasting(Fault fault, Throwable cause) {
        return new RunException(fault, cause, Kind.LASTING);
    }

    /** Whether the same work may succeed when tried again from clean staging. */
    public boolean isRetryable() {
        return kind != Kind.LASTING;
    }

    /** Whether the system gave no answer, so that whatever else is asked of it will hardly fare better. */
    public boolean isUnreachable() {
        return kind == Kind.UNREACHABLE;
    }
}
