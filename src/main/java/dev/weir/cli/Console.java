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
    private final Screen screen;
    private Redactor redactor = Redactor.NONE;

    /** One whose output is shown on no terminal. */
    Console(
            PrintStream out,
            PrintStream err,
            Map<String, String> environment,
            Path directory,
            Clock clock,
            Faults faults) {
        this(out, err, environment, directory, clock, faults, Screen.NONE);
    }

    Console(
            PrintStream out,
            PrintStream err,
            Map<String, String> environment,
            Path directory,
            Clock clock,
            Faults faults,
            Screen screen) {
        this.out = out;
        this.err = err;
        this.environment = Map.copyOf(environment);
        this.directory = directory;
        this.clock = clock;
        this.faults = faults;
        this.screen = screen;
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

    /** What {@link #out()} is shown on. */
    Screen screen() {
        return screen;
    }

    Redactor redactor() {
        return redactor;
    }

    /** From now on these secrets are hidden in whatever is told. */
    void hide(Redactor secrets) {
        this.redactor = secrets;
    }
}
