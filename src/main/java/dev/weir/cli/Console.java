package dev.weir.cli;

import dev.weir.fault.Redactor;
import dev.weir.run.Faults;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;

/**
 * What a command has of the world: its streams, its environment, its clock. One for each start of weir.
 */
final class Console {

    private final PrintStream out;
    private final PrintStream err;
    private final Map<String, String> environment;
    private final Path directory;
    private final Clock clock;
    private final Faults faults;
    private Redactor redactor = Redactor.NONE;

    Console(
            PrintStream out,
            PrintStream err,
            Map<String, String> environment,
            Path directory,
            Clock clock,
            Faults faults) {
        this.out = out;
        this.err = err;
        this.environment = Map.copyOf(environment);
        this.directory = directory;
        this.clock = clock;
        this.faults = faults;
    }

    PrintStream out() {
        return out;
    }

    PrintStream err() {
        return err;
    }

    Map<String, String> environment() {
        return environment;
    }

    /** The folder weir was started in. */
    Path directory() {
        return directory;
    }

    Clock clock() {
        return clock;
    }

    Faults faults() {
        return faults;
    }

    Redactor redactor() {
        return redactor;
    }

    /** From now on these secrets are hidden in whatever is told. */
    void hide(Redactor secrets) {
        this.redactor = secrets;
    }
}
