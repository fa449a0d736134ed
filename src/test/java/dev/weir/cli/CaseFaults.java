package dev.weir.cli;

import dev.weir.run.Faults;
import dev.weir.testing.WeirProject;
import java.time.Clock;

/** Runs weir in this process with something that happens at its points, or with another clock. */
final class CaseFaults {

    private CaseFaults() {}

    /** @return the exit code */
    static int run(WeirProject project, Faults faults, String... args) {
        return run(project, Clock.systemUTC(), faults, args).exitCode();
    }

    static WeirProject.Said run(WeirProject project, Clock clock, Faults faults, String... args) {
        return project.run(clock, faults, args);
    }
}
