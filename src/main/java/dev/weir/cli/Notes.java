package dev.weir.cli;

import java.util.function.Consumer;

/** Notes of commands that print no events: on stderr, with secrets hidden. */
final class Notes {

    private Notes() {}

    static Consumer<String> on(Console console) {
        return note -> console.err().println("note: " + console.redactor().redact(note));
    }
}
