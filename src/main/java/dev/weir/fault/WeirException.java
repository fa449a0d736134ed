package dev.weir.fault;

import java.util.List;

/**
 * A failure a person can act on; one subtype for each owner of the fault.
 *
 * <p>The message is complete as it stands: code, place, value and way out. Whoever prints it adds nothing and shows no
 * stack trace.
 */
public abstract sealed class WeirException extends RuntimeException permits UsageException, RunException {

    private final transient List<Fault> faults;

    WeirException(List<Fault> faults, Throwable cause) {
        super(String.join("\n", faults.stream().map(Fault::toString).toList()), cause);
        this.faults = List.copyOf(faults);
    }

    WeirException(List<Fault> faults) {
        super(String.join("\n", faults.stream().map(Fault::toString).toList()));
        this.faults = List.copyOf(faults);
    }

    /** Every fault, at least one. */
    public List<Fault> faults() {
        return faults;
    }

    /** The first fault. */
    public Fault fault() {
        return faults.get(0);
    }
}
