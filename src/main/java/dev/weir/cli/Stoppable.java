package dev.weir.cli;

import dev.weir.run.Cancellation;
import java.util.function.ToIntFunction;

/** Work of a command that looks and writes nothing: a signal stops it, and it says so. */
final class Stoppable {

    private static final int CANCELLED = 3;

    private Stoppable() {}

    /** @return what the work returns; 3 when a signal stopped it */
    static int run(Console console, ToIntFunction<Cancellation> work) {
        Cancellation cancellation = new Cancellation();
        try (Signals signals = Signals.cancelling(cancellation, text -> note(console, text))) {
            int exitCode = work.applyAsInt(cancellation);
            return cancellation.isCancelled() ? cancelled(console) : exitCode;
        } catch (RuntimeException e) {
            // What fails once it was asked to stop has stopped.
            if (cancellation.isCancelled()) {
                return cancelled(console);
            }
            throw e;
        }
    }

    private static int cancelled(Console console) {
        note(console, "cancelled");
        return CANCELLED;
    }

    /** A note beside what is printed. */
    static void note(Console console, String text) {
        console.err().println("note: " + console.redactor().redact(text));
    }
}
