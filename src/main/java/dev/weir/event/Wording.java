package dev.weir.event;

import dev.weir.fault.Redactor;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * The sentences a person reads about a run. Secrets in them are hidden, control characters shown as a question mark.
 *
 * <p>Source of the lines: contract, sections 4.1 and 4.2.
 */
final class Wording {

    private final Redactor redactor;

    Wording(Redactor redactor) {
        this.redactor = redactor;
    }

    String note(String text) {
        return "note: " + clean(text);
    }

    /** The node's line, then its notes. */
    List<String> completed(Event.NodeCompleted event) {
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
        if (incremental != null && incremental.reread() > 0) {
            lines.add("note: " + name + ": read " + incremental.reread()
                    + (incremental.reread() == 1 ? " row" : " rows") + " below the watermark once more, by lookback");
        }
        if (incremental != null && incremental.heldBack() != null && incremental.atEnd()) {
            lines.add(note(name + ": held back "
                    + (incremental.ceiling() == null ? "altogether" : "at " + incremental.ceiling()) + ": "
                    + incremental.heldBack()));
        }
        return lines;
    }

    String completed(Event.RunCompleted event) {
        return "run " + event.runId() + ": " + event.succeeded() + " succeeded, " + event.failed() + " failed, "
                + event.skipped() + " skipped (.weir/runs/" + event.runId() + "/run_results.json)";
    }

    String completed(Event.LoopCompleted event) {
        return note("until-caught-up: " + counted(event.passes(), "pass", "passes") + ", stopped: " + event.stopped());
    }

    String retry(Event.RetryScheduled event) {
        return note(event.name() + ": attempt " + event.attempt() + " of " + event.maxAttempts()
                + " failed, the next in " + event.delayMs() + "ms: " + event.reason());
    }

    String duplicates(Event.MergeKeyDuplicatesDetected event) {
        return note("WR0522 " + event.sink() + ": " + counted(event.duplicateGroups(), "key", "keys") + " ("
                + String.join(", ", event.keys()) + ") came more than once in the slice; the newest row of each stays, "
                + counted(event.extraRows(), "other was", "others were") + " left out");
    }

    /** @param name the node's, as it is printed */
    String outside(String name, Event.RowsOutsideWindows event) {
        StringJoiner parts = new StringJoiner(", ");
        add(parts, event.nullCursors(), "with a NULL cursor");
        add(parts, event.infiniteCursors(), "with an infinite cursor");
        add(parts, event.belowInitial(), "below initial");
        add(parts, event.future(), "dated after now");
        return note(name + ": rows that no window holds: " + parts);
    }

    private static void add(StringJoiner parts, long count, String what) {
        if (count > 0) {
            boolean more = count >= Event.RowsOutsideWindows.COUNTED;
            parts.add((more ? "at least " : "") + count + " " + what);
        }
    }

    static String counted(long count, String one, String more) {
        return count + " " + (count == 1 ? one : more);
    }

    /** As {@link #counted}, its thousands apart: {@code 50,000 rows}. */
    static String grouped(long count, String one, String more) {
        return String.format(Locale.ROOT, "%,d ", count) + (count == 1 ? one : more);
    }

    /** The text on one line, fit to be shown. */
    String clean(String text) {
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
