package dev.weir.cli;

import dev.weir.run.Faults;
import dev.weir.testing.WeirProject;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;

/** Runs weir in this process with something that happens at its points, or with another clock. */
final class CaseFaults {

    private CaseFaults() {}

    /** @return the exit code */
    static int run(WeirProject project, Faults faults, String... args) {
        return run(project, Clock.systemUTC(), faults, args).exitCode();
    }

    static WeirProject.Said run(WeirProject project, Clock clock, Faults faults, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console = new Console(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                project.environment(),
                project.directory(),
                clock,
                faults);
        int exitCode = Weir.run(console, args);
        return new WeirProject.Said(
                exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
