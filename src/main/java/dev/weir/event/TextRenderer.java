package dev.weir.event;

import dev.weir.fault.Redactor;
import java.io.OutputStream;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * Writes a run for a person to read: a line for each node and each pass, and notes.
 *
 * <p>The nodes of a pass come in the order they were started, so that a source stands above its sinks although it
 * completes after them; notes come at once. Secrets in messages are hidden, control characters shown as a question mark.
 * A reader that goes away ends the output, not the run. Thread-safe. Source of the lines: contract, sections 4.1 and 4.2.
 */
public final class TextRenderer implements EventSink {

    private final LineOutput output;
    private final Redactor redactor;
    private final boolean notesOnly;

    /** The nodes of the pass under way as they were started, with their lines once they have completed. */
    private final Map<String, Node> nodes = new LinkedHashMap<>();

    private static final class Node {
        private final String name;
        private List<String> lines = List.of();
        private boolean completed;

        private Node(String name) {
            this.name = name;
        }
    }

    /** @param out written to and flushed with each line, never closed */
    public TextRenderer(OutputStream out, Redactor redactor) {
        this(out, redactor, false);
    }

    private TextRenderer(OutputStream out, Redactor redactor, boolean notesOnly) {
        this.output = new LineOutput(out);
        this.redactor = redactor;
        this.notesOnly = notesOnly;
    }

    /** One that writes the notes and nothing else: for stderr, beside NDJSON on stdout. */
    public static TextRenderer notesOnly(OutputStream out, Redactor redactor) {
        return new TextRenderer(out, redactor, true);
    }

    /** Writes {@code note: …} at once. */
    public void note(String text) {
        output.line("note: " + clean(text));
    }

    /** Whether the output has failed, so that nothing more will be written. */
    public boolean isBroken() {
        return output.isBroken();
    }

    @Override
    public synchronized void accept(Event event) {
        if (event instanceof Event.NodeStarted e) {
            nodes.putIfAbsent(e.nodeId(), new Node(e.name()));
        } else if (event instanceof Event.NodeCompleted e) {
            completed(e);
        } else if (event instanceof Event.RunCompleted e) {
            passCompleted(e);
        } else if (event instanceof Event.RetryScheduled e) {
            note(e.name() + ": attempt " + e.attempt() + " of " + e.maxAttempts() + " failed, the next in "
                    + e.delayMs() + "ms: " + e.reason());
        } else if (event instanceof Event.MergeKeyDuplicatesDetected e) {
            note(duplicates(e));
        } else if (event instanceof Event.RowsOutsideWindows e) {
            note(outside(e));
        } else if (event instanceof Event.LoopCompleted e) {
            note("until-caught-up: " + counted(e.passes(), "pass", "passes") + ", stopped: " + e.stopped());
        }
    }

    private void completed(Event.NodeCompleted event) {
        List<String> lines = lines(event);
        if (notesOnly) {
            lines.stream().skip(1).forEach(output::line);
            return;
        }
        Node node = nodes.computeIfAbsent(event.nodeId(), id -> new Node(event.name()));
        node.lines = lines;
        node.completed = true;
        List<String> written = new ArrayList<>();
        for (Map.Entry<String, Node> entry : nodes.entrySet()) {
            if (!entry.getValue().completed) {
                break;
            }
            entry.getValue().lines.forEach(output::line);
            written.add(entry.getKey());
        }
        written.forEach(nodes::remove);
    }

    /** The node's line, then its notes. */
    private List<String> lines(Event.NodeCompleted event) {
        String name = clean(event.name());
        List<String> lines = new ArrayList<>();
        if (event.outcome() instanceof Outcome.Failed failed) {
            lines.add("failed " + name + ": " + cleanLines(failed.fault().toString()));
        } else if (event.outcome() instanceof Outcome.Skipped skipped) {
            lines.add("skipped " + name + " (" + clean(skipped.why()) + ")");
        } else {
            lines.add("ok " + name + " " + event.rows() + " rows " + event.durationMs() + "ms");
        }
        Incremental incremental = event.incremental();
        if (incremental != null && incremental.skippedWindows() != null) {
            boolean one = incremental.skippedWindows().equals(BigInteger.ONE);
            lines.add("note: " + name + ": skipped " + incremental.skippedWindows() + " empty window" + (one ? "" : "s")
                    + ", up to " + incremental.after());
        }
        return lines;
    }

    private void passCompleted(Event.RunCompleted event) {
        // A node that started and never completed was cut off; those behind it are still told.
        nodes.values().forEach(node -> node.lines.forEach(output::line));
        nodes.clear();
        if (notesOnly) {
            return;
        }
        output.line("run " + event.runId() + ": " + event.succeeded() + " succeeded, " + event.failed() + " failed, "
                + event.skipped() + " skipped (.weir/runs/" + event.runId() + "/run_results.json)");
    }

    private static String duplicates(Event.MergeKeyDuplicatesDetected event) {
        return "WR0522 " + event.sink() + ": " + counted(event.duplicateGroups(), "key", "keys") + " ("
                + String.join(", ", event.keys()) + ") came more than once in the slice; the newest row of each stays, "
                + counted(event.extraRows(), "other was", "others were") + " left out";
    }

    private String outside(Event.RowsOutsideWindows event) {
        StringJoiner parts = new StringJoiner(", ");
        add(parts, event.nullCursors(), "with a NULL cursor");
        add(parts, event.infiniteCursors(), "with an infinite cursor");
        add(parts, event.belowInitial(), "below initial");
        add(parts, event.future(), "dated after now");
        Node node = nodes.get(event.nodeId());
        return (node == null ? event.nodeId() : node.name) + ": rows that no window holds: " + parts;
    }

    private static void add(StringJoiner parts, long count, String what) {
        if (count > 0) {
            boolean more = count >= Event.RowsOutsideWindows.COUNTED;
            parts.add((more ? "at least " : "") + count + " " + what);
        }
    }

    private static String counted(long count, String one, String more) {
        return count + " " + (count == 1 ? one : more);
    }

    private String clean(String text) {
        return redactor.redact(text).replaceAll("\\R", " ").replaceAll("\\p{Cntrl}", "?");
    }

    /** A fault brings its remedy on a line of its own. */
    private String cleanLines(String text) {
        return String.join(
                "\n",
                redactor.redact(text)
                        .lines()
                        .map(line -> line.replaceAll("\\p{Cntrl}", "?"))
                        .toList());
    }
}
