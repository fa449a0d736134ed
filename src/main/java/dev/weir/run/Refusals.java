package dev.weir.run;

import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.plan.SinkNode;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Verdict;
import org.jspecify.annotations.Nullable;

/** Tells the person on call why a sink was refused and what repairs it. Rule: contract, section 2.4. */
final class Refusals {

    private Refusals() {}

    /** @param source the source's key, as users write it */
    static RunException of(BoundSink bound, String source, Verdict.Refused refused) {
        SinkNode sink = bound.node();
        String range = range(refused);
        return switch (refused.disagreement()) {
            case ROWS_WITHOUT_MARK ->
                disagree(
                        sink,
                        "the table holds rows and no mark says up to where " + source
                                + " is loaded, so an append could double them",
                        "say where it stands: weir state adopt " + source + " --sink " + sink.id()
                                + " --value V --reason …");
            case ROWS_MISSING ->
                disagree(
                        sink,
                        "the sink lies below where it stood when its position was moved on: rows of " + range
                                + " are missing",
                        "load them: weir state set " + source + " --value "
                                + (refused.missingAbove() == null ? "V" : refused.missingAbove())
                                + " --reason …; or accept the gap: weir state adopt " + source + " --sink " + sink.id()
                                + " --value " + refused.missingUpTo() + " --reason …");
            case TABLE_GONE ->
                disagree(
                        sink,
                        "the sink has a mark, but its table is gone: rows of " + range + " are missing",
                        "restore the table, or load all of it again: " + startOver(bound, source));
            case TABLE_EMPTIED ->
                disagree(
                        sink,
                        "the table is empty though it was not at its last commit: rows of " + range + " are missing",
                        "restore the rows, or load all of them again: " + startOver(bound, source));
            case BACK_IN_APPEND ->
                new RunException(
                        Code.BACK_IN_APPEND,
                        sink.id(),
                        "going back would append rows of " + range + " a second time",
                        "empty the table together with its mark, make it a merge, or say duplicates: 'accept'");
        };
    }

    /** Starting every sink over is refused where another one appends and holds rows. */
    private static String startOver(BoundSink bound, String source) {
        return "weir state clear " + source + " --reason … (with every sink below it), or weir run " + bound.pipeline()
                + " --full-refresh (with this pipeline alone)";
    }

    private static RunException disagree(SinkNode sink, String what, String remedy) {
        return new RunException(Code.SINK_AND_MARK_DISAGREE, sink.id(), what, remedy);
    }

    private static String range(Verdict.Refused refused) {
        CursorValue above = refused.missingAbove();
        @Nullable CursorValue upTo = refused.missingUpTo();
        String from = above == null ? "[initial" : "(" + above;
        return from + ", " + (upTo == null ? "…" : upTo) + "]";
    }
}
