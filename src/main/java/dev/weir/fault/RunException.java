package dev.weir.fault;

import java.util.List;

/**
 * Something failed while a run, or an edit of state, was under way: exit code 1.
 *
 * <p>What the failed transaction held is rolled back; what had committed before stays.
 */
public sealed class RunException extends WeirException permits UnknownOutcomeException {

    private final boolean retryable;

    private RunException(Fault fault, Throwable cause, boolean retryable) {
        super(List.of(fault), cause);
        this.retryable = retryable;
    }

    public RunException(Fault fault) {
        super(List.of(fault));
        this.retryable = false;
    }

    public RunException(Code code, String place, String what, String remedy) {
        this(new Fault(code, place, what, remedy));
    }

    RunException(Fault fault, Throwable cause) {
        this(fault, cause, false);
    }

    /** A failure that a later attempt may not meet: a lost connection, a deadlock, a time-out. */
    public static RunException passing(Fault fault, Throwable cause) {
        return new RunException(fault, cause, true);
    }

    /** A failure that every attempt will meet until somebody acts. */
    public static RunException lasting(Fault fault, Throwable cause) {
        return new RunException(fault, cause, false);
    }

    /** Whether the same work may succeed when tried again from clean staging. */
    public boolean isRetryable() {
        return retryable;
    }
}
