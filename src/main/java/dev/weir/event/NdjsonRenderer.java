package dev.weir.event;

import dev.weir.fault.Redactor;
import java.io.OutputStream;

/**
 * Writes each event as one line of JSON, and nothing else.
 *
 * <p>UTF-8, whatever the machine's encoding; the fields in the contract's order; cursor values as canonical text; secrets
 * in messages hidden. A reader that goes away ends the output, not the run. Thread-safe.
 */
public final class NdjsonRenderer implements EventSink {

    private final EventFields fields;
    private final LineOutput output;

    /** @param out written to and flushed with each event, never closed */
    public NdjsonRenderer(OutputStream out, Redactor redactor) {
        this.fields = new EventFields(redactor);
        this.output = new LineOutput(out);
    }

    @Override
    public void accept(Event event) {
        output.line(fields.of(event).toString());
    }

    /** Whether the output has failed, so that nothing more will be written. */
    public boolean isBroken() {
        return output.isBroken();
    }
}
