package dev.weir.fault;

import java.util.List;

/** The project, its pipelines or the command line are wrong: nothing ran, nothing was touched, exit code 2. */
public final class UsageException extends WeirException {

    /** @param faults everything found, at least one */
    public UsageException(List<Fault> faults) {
        super(faults);
    }

    public UsageException(Code code, String place, String what, String remedy) {
        this(List.of(new Fault(code, place, what, remedy)));
    }
}
