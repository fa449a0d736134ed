package dev.weir.fault;

import java.io.PrintWriter;
import java.io.StringWriter;

/** An unexpected failure as text for the log, with secrets hidden: messages of drivers may hold them. */
public final class StackTrace {

    private StackTrace() {}

    /** The stack trace with its causes, redacted. */
    public static String of(Throwable failure, Redactor redactor) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text, true));
        return redactor.redact(text.toString());
    }
}
