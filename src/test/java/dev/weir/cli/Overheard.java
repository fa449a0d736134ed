package dev.weir.cli;

import dev.weir.run.Faults;
import dev.weir.testing.WeirProject;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;

/** Runs weir in this process, and does something at the moment it says a certain thing on stdout. */
final class Overheard extends ByteArrayOutputStream {

    private final String words;
    private final Runnable then;
    private boolean heard;

    private Overheard(String words, Runnable then) {
        this.words = words;
        this.then = then;
    }

    static WeirProject.Said run(WeirProject project, String words, Runnable then, String... args) {
        Overheard out = new Overheard(words, then);
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console = new Console(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                project.environment(),
                project.directory(),
                Clock.systemUTC(),
                Faults.NONE);
        int exitCode = Weir.run(console, args);
        return new WeirProject.Said(
                exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    @Override
    public synchronized void flush() {
        if (!heard && toString(StandardCharsets.UTF_8).contains(words)) {
            heard = true;
            then.run();
        }
    }
}
