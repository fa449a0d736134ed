package dev.weir.event;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Lines of UTF-8, each written whole and at once. The first failure ends the output, silently: when whoever read it has
 * gone, the run goes on, and no half line follows a broken one. Thread-safe.
 */
final class LineOutput implements Lines {

    private final OutputStream out;
    private boolean broken;

    LineOutput(OutputStream out) {
        this.out = out;
    }

    @Override
    public void line(String line) {
        write(line + "\n");
    }

    /** Writes a text as it is. */
    synchronized void write(String text) {
        if (broken) {
            return;
        }
        try {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
            // A PrintStream keeps its failures to itself.
            broken = out instanceof PrintStream print && print.checkError();
        } catch (IOException e) {
            broken = true;
        }
    }

    @Override
    public synchronized boolean isBroken() {
        return broken;
    }
}
