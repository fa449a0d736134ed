package dev.weir.event;

import dev.weir.fault.Fault;
import dev.weir.fault.Redactor;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes a run for a person to read: a line for each node and each pass, and notes.
 *
 * <p>The nodes of a pass come in the order they were started, so that a source stands above its sinks although it
 * completes after them; notes come at once. Secrets in messages are hidden, control characters shown as a question mark.
 * A reader that goes away ends the output, not the run. Thread-safe. Source of the lines: contract, sections 4.1 and 4.2.
 */
public final class TextRenderer implements EventSink {

    /** How much of a run is told. */
    enum Detail {
        EVERYTHING,
        /** Failures, skipped nodes and notes, all at once. */
        TROUBLE,
        /** The lines of chunks, and of their nodes the trouble. */
        CHUNKS,
        NOTES
    }

    private final Lines output;
    private final Wording wording;
    private final Paint paint;
    private Detail detail;

    /** What has been told of the nodes of a backfill, so that its chunks need not tell it again. */
    private final Set<Fault> told = new HashSet<>();

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

    TextRenderer(Lines output, Wording wording, Paint paint, Detail detail) {
        this.output = output;
        this.wording = wording;
        this.paint = paint;
        this.detail = detail;
    }

    /** @param out written to and flushed with each line, never closed */
    public TextRenderer(OutputStream out, Redactor redactor) {
        this(new LineOutput(out), new Wording(redactor), Paint.NONE, Detail.EVERYTHING);
    }

    /** One whose words may have colours, and which draws nothing. */
    public static TextRenderer painted(OutputStream out, Redactor redactor, TerminalLook look) {
        return new TextRenderer(new LineOutput(out), new Wording(redactor), Paint.of(look), Detail.EVERYTHING);
    }

    /** One that writes the notes and nothing else: for stderr, beside NDJSON on stdout. */
    public static TextRenderer notesOnly(OutputStream out, Redactor redactor) {
        return new TextRenderer(new LineOutput(out), new Wording(redactor), Paint.NONE, Detail.NOTES);
    }

    /** Writes {@code note: …} at once. */
    public void note(String text) {
        output.line(wording.note(text));
    }

    /** Whether the output has failed, so that nothing more will be written. */
    public boolean isBroken() {
        return output.isBroken();
    }

    /** From now on failures, skipped nodes, notes, and chunks that were not loaded. */
    synchronized void tellTrouble() {
        detail = Detail.TROUBLE;
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
            output.line(wording.retry(e));
        } else if (event instanceof Event.MergeKeyDuplicatesDetected e) {
            output.line(wording.duplicates(e));
        } else if (event instanceof Event.RowsOutsideWindows e) {
            Node node = nodes.get(e.nodeId());
            output.line(wording.outside(node == null ? e.nodeId() : node.name, e));
        } else if (event instanceof Event.LoopCompleted e) {
            output.line(wording.completed(e));
        } else {
            backfill(event);
        }
    }

    private void backfill(Event event) {
        if (event instanceof Event.BackfillStarted && detail == Detail.EVERYTHING) {
            detail = Detail.CHUNKS;
        } else if (event instanceof Event.ChunkStarted e && detail == Detail.CHUNKS) {
            output.line(wording.started(e));
        } else if (event instanceof Event.ChunkCompleted e && detail != Detail.NOTES) {
            completed(e);
        } else if (event instanceof Event.BackfillCompleted e && detail != Detail.NOTES) {
            output.line(wording.completed(e));
        }
    }

    private void completed(Event.ChunkCompleted event) {
        boolean well =
                event.outcome() instanceof ChunkOutcome.Completed || event.outcome() instanceof ChunkOutcome.Skipped;
        if (detail == Detail.CHUNKS || !well) {
            boolean remedyToo = event.outcome() instanceof ChunkOutcome.Failed failed && !told.remove(failed.fault());
            output.line(wording.completed(event, remedyToo));
        }
    }

    private void completed(Event.NodeCompleted event) {
        List<String> lines = wording.completed(event);
        if (detail != Detail.EVERYTHING) {
            boolean trouble = detail != Detail.NOTES && !(event.outcome() instanceof Outcome.Success);
            if (trouble && event.outcome() instanceof Outcome.Failed failed) {
                told.add(failed.fault());
            }
            lines.stream().skip(trouble ? 0 : 1).map(paint::line).forEach(output::line);
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
            write(entry.getValue());
            written.add(entry.getKey());
        }
        written.forEach(nodes::remove);
    }

    private void write(Node node) {
        node.lines.stream().map(paint::line).forEach(output::line);
    }

    private void passCompleted(Event.RunCompleted event) {
        // A node that started and never completed was cut off; those behind it are still told.
        nodes.values().forEach(this::write);
        nodes.clear();
        if (detail == Detail.EVERYTHING) {
            output.line(wording.completed(event));
        }
    }
}
