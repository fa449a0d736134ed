package dev.weir.event;

import dev.weir.fault.IoReason;
import dev.weir.fault.Redactor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The folder of one run, {@code .weir/runs/<run-id>}: {@code events.ndjson} and {@code run_results.json}.
 *
 * <p>For their owner's eyes only. {@code run_results.json} is there from the start of an invocation's first run, and of one
 * that follows with the first event that comes a second or more after its start. Whoever reads it finds a whole file at any
 * moment; its final status comes with {@link #finish} and not before. A power failure may leave it empty while the
 * invocation is under way. A file that cannot be written is told once and never fails the run. Thread-safe. Source of the
 * rules: contract, sections 2, 4.3 and 5.
 */
public final class RunFolder implements EventSink {

    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Pattern ONE_NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*");

    private final Path folder;
    private final EventFields fields;
    private final RunResults results;
    private final Consumer<String> notes;
    private final EventFile events;
    private @Nullable Instant began;
    private boolean shown;
    private boolean eventsFailed;
    private boolean resultsFailed;

    private RunFolder(Path folder, String runId, Redactor redactor, Consumer<String> notes) {
        this.folder = folder;
        this.fields = new EventFields(redactor);
        this.results = new RunResults(runId, fields);
        this.notes = notes;
        this.events = new EventFile(folder.resolve("events.ndjson"));
    }

    /**
     * Makes the folder; a failure is a note.
     *
     * @param weirDir the project's {@code .weir}
     * @param runId one name of letters, digits, {@code . _ -}
     * @param notes takes what could not be written, as a sentence for a person
     */
    public static RunFolder open(Path weirDir, String runId, Redactor redactor, Consumer<String> notes) {
        if (!ONE_NAME.matcher(runId).matches()) {
            throw new IllegalArgumentException("a run id is one file name: " + runId);
        }
        Path runs = weirDir.resolve("runs");
        RunFolder run = new RunFolder(runs.resolve(runId), runId, redactor, notes);
        try {
            OwnerOnly.folder(weirDir);
            OwnerOnly.folder(runs);
            OwnerOnly.folder(run.folder);
        } catch (IOException e) {
            run.eventsFailed = true;
            run.resultsFailed = true;
            run.note("the files of this run are not written", run.folder, e);
        }
        return run;
    }

    /** The folder, whether or not it could be made. */
    public Path path() {
        return folder;
    }

    @Override
    public synchronized void accept(Event event) {
        append(event);
        results.accept(event);
        began = began == null ? event.at() : began;
        if (!shown && isWorthShowing(event)) {
            shown = true;
            // The file that counts comes with finish(): until then a sync is not worth its time.
            results(OwnerOnly::show);
        }
    }

    /** A loop has hundreds of short passes, and a file that is written to be replaced at once costs each of them. */
    private boolean isWorthShowing(Event event) {
        return event instanceof Event.RunStarted started && started.pass() == 1
                || Duration.between(began, event.at()).compareTo(SHORT) >= 0;
    }

    /**
     * Gives {@code run_results.json} its final status and closes the files: the last thing a run does, after its
     * positions are written.
     *
     * @param exitCode null where the process goes on with other runs
     */
    public synchronized void finish(RunStatus status, Instant at, @Nullable Integer exitCode) {
        results.finish(status, at, exitCode);
        // Where other runs follow, the last of them is soon enough: after a power failure the history knows what became
        // of them.
        results(exitCode == null ? OwnerOnly::show : OwnerOnly::replace);
        try {
            events.close();
        } catch (IOException e) {
            eventsFailed(e);
        }
    }

    private void append(Event event) {
        if (eventsFailed) {
            return;
        }
        try {
            events.append(fields.of(event).toString());
        } catch (IOException e) {
            eventsFailed(e);
        }
    }

    private void eventsFailed(IOException e) {
        if (!eventsFailed) {
            eventsFailed = true;
            note("events.ndjson ends early", folder, e);
        }
    }

    /** What is done with the results. */
    private interface Writing {
        void write(Path file, String json) throws IOException;
    }

    private void results(Writing writing) {
        if (resultsFailed) {
            return;
        }
        try {
            writing.write(folder.resolve("run_results.json"), results.json());
        } catch (IOException e) {
            resultsFailed = true;
            note("run_results.json is not written any more", folder, e);
        }
    }

    private void note(String what, Path where, IOException cause) {
        notes.accept(what + ": " + where + ": " + IoReason.of(cause) + "; the run itself goes on");
    }
}
