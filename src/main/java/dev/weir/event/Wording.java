package dev.weir.event;

import dev.weir.fault.Fault;
import dev.weir.fault.Redactor;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The sentences a person reads about a run. Secrets in them are hidden, control characters shown as a question mark.
 *
 * <p>Source of the lines: contract, sections 4.1, 4.2 and 6.
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
        } else if (event.outcome() instanceof Outcome.Success success) {
            lines.add("ok " + name + " " + event.rows() + " rows"
                    + (success.deleted() > 0 ? ", " + success.deleted() + " deleted " : " ") + event.durationMs()
                    + "ms" + width(event.incremental()));
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

    private static String width(@Nullable Incremental incremental) {
        return incremental != null
                        && incremental.window() != null
                        && incremental.window().autoWidth() != null
                ? ", window " + incremental.window().autoWidth() + " (auto)"
                : "";
    }

    String completed(Event.RunCompleted event) {
        return "run " + event.runId() + ": " + event.succeeded() + " succeeded, " + event.failed() + " failed, "
                + event.skipped() + " skipped (.weir/runs/" + event.runId() + "/run_results.json)";
    }

    String completed(Event.LoopCompleted event) {
        return note("until-caught-up: " + counted(event.passes(), "pass", "passes") + ", stopped: " + event.stopped());
    }

    String started(Event.ChunkStarted event) {
        return chunk(event.chunk()) + "running (run_id=" + event.chunkRunId() + ")";
    }

    /** @param remedyToo whether a failure also says what to do about its cause */
    String completed(Event.ChunkCompleted event, boolean remedyToo) {
        String chunk = chunk(event.chunk());
        ChunkOutcome outcome = event.outcome();
        if (outcome instanceof ChunkOutcome.Completed completed) {
            return chunk + "completed (" + completed.rows() + " records)";
        }
        if (outcome instanceof ChunkOutcome.Failed failed) {
            Fault fault = failed.fault();
            return chunk + "failed: " + clean(fault.code() + " " + fault.place() + ": " + fault.what())
                    + "; completed chunks are recorded, run the same command again to resume"
                    + (remedyToo ? "\n" + cleanLines(fault.remedy().indent(2).stripTrailing()) : "");
        }
        if (outcome instanceof ChunkOutcome.Pending pending) {
            return chunk + "pending: " + clean(pending.why());
        }
        return chunk
                + (outcome instanceof ChunkOutcome.Skipped
                        ? "already completed, skipping"
                        : "held by another worker, NOT run by this invocation");
    }

    private static String chunk(ChunkRef chunk) {
        return "chunk " + chunk.number() + "/" + chunk.count() + " [" + chunk.from() + " → " + chunk.to() + "): ";
    }

    String completed(Event.BackfillCompleted event) {
        ChunkTotals totals = event.totals();
        return "Backfill " + event.backfillId() + ": " + totals.completed() + " completed, " + totals.skipped()
                + " skipped, " + totals.claimedElsewhere() + " claimed elsewhere"
                + (totals.failed() > 0 ? ", " + totals.failed() + " failed" : "") + " ("
                + counted(totals.chunks(), "chunk", "chunks") + ")";
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
