package dev.weir.event;

import dev.weir.fault.Redactor;
import java.io.OutputStream;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Shows a run on a terminal.
 *
 * <p>A single pass reads as {@link TextRenderer} writes it, with a live line for each node that takes longer than a second.
 * A loop shows one live line for each windowed source instead of the lines of every pass; failures, skipped nodes and notes
 * are printed above as they come, and at its end a summary. A backfill shows one live line, and above it what went wrong.
 * Nothing is drawn but by {@link #draw}, which its owner calls at
 * most ten times a second, and where lines are printed. Between calls the cursor is visible. Secrets are hidden, control
 * characters shown as a question mark. Thread-safe. Source of the rule: contract, section 4.2.
 */
public final class TerminalRenderer implements EventSink, AutoCloseable {

    private final Supplier<ScreenSize> size;
    private final LongSupplier nanos;
    private final LiveArea area;
    private final Progress progress;
    private final LiveLines lines;
    private final Summary summary;
    private final TextRenderer text;
    private ScreenSize drawnAt;
    private boolean closed;

    /**
     * @param out the terminal, never closed
     * @param size the screen's size at this moment
     * @param nanos a clock that never steps: {@link System#nanoTime}
     * @param loop whether passes repeat, so that they are not told one by one
     */
    public TerminalRenderer(
            OutputStream out,
            Redactor redactor,
            TerminalLook look,
            Supplier<ScreenSize> size,
            LongSupplier nanos,
            boolean loop) {
        Wording wording = new Wording(redactor);
        this.size = size;
        this.nanos = nanos;
        this.area = new LiveArea(new LineOutput(out));
        this.progress = new Progress(wording);
        this.lines = new LiveLines(look, loop);
        this.summary = new Summary(wording, look);
        this.text = new TextRenderer(
                area, wording, Paint.of(look), loop ? TextRenderer.Detail.TROUBLE : TextRenderer.Detail.EVERYTHING);
        this.drawnAt = size.get();
    }

    /** Writes {@code note: …} at once. */
    public synchronized void note(String note) {
        text.note(note);
    }

    @Override
    public synchronized void accept(Event event) {
        progress.accept(event, nanos.getAsLong());
        if (event instanceof Event.BackfillStarted) {
            text.tellTrouble();
        } else if (event instanceof Event.BackfillCompleted) {
            end();
        } else if (event instanceof Event.LoopCompleted) {
            end();
            summary.lines(progress, size.get().columns()).forEach(area::line);
        }
        text.accept(event);
    }

    /** Shows how things stand now. */
    public synchronized void draw() {
        if (closed) {
            return;
        }
        ScreenSize now = size.get();
        boolean resized = !now.equals(drawnAt);
        drawnAt = now;
        area.show(lines.at(progress, nanos.getAsLong(), now), resized);
    }

    /** Ends the live lines: what is printed afterwards stands below them. */
    @Override
    public synchronized void close() {
        end();
    }

    private void end() {
        if (closed) {
            return;
        }
        closed = true;
        area.show(lines.last(progress, nanos.getAsLong(), size.get()), false);
        area.leave();
    }
}
