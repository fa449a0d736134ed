package dev.weir.slicing;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares state with the marks of the sinks, sink by sink, before a slice is read.
 *
 * <p>The table of the contract, section 2.4, read from its last row up: the lowest row that matches decides.
 */
public final class Reconciliation {

    private Reconciliation() {}

    /**
     * A full refresh noted in state before its first commit.
     *
     * @param number the generation it started
     * @param sinks the sinks it was asked for
     */
    public record Refresh(long number, Set<String> sinks) {}

    /**
     * One verdict for each of the selected sinks, in their order.
     *
     * @param selected the sinks of this run
     * @param refresh the newest noted refresh of the source; empty: none
     * @param refreshCommitted whether any sink, selected or not, has committed it; see {@link #hasCommitted}
     */
    public static Map<String, Verdict> decide(
            List<Standing> selected, Optional<Refresh> refresh, boolean refreshCommitted) {
        Map<String, Verdict> verdicts = new LinkedHashMap<>();
        for (Standing standing : selected) {
            boolean takesUp = refreshCommitted
                    && refresh.filter(noted -> takesUp(standing, noted)).isPresent();
            verdicts.put(
                    standing.sink(),
                    takesUp
                            ? new Verdict.Stands(
                                    Verdict.Reason.REFRESH, null, refresh.get().number(), null)
                            : decide(standing));
        }
        return verdicts;
    }

    /** Whether this sink has committed a noted refresh, by its mark or, without marks, by state. */
    public static boolean hasCommitted(Refresh refresh, String sink, @Nullable Position state, @Nullable Mark mark) {
        boolean byMark = mark != null && mark.generation() == refresh.number();
        boolean byState = state != null && state.generation() == refresh.number();
        return refresh.sinks().contains(sink) && (byMark || byState);
    }

    private static boolean takesUp(Standing standing, Refresh refresh) {
        boolean older = Math.max(standing.stateGeneration(), standing.markGeneration()) < refresh.number();
        boolean appendWithRows = standing.strategy() == Strategy.APPEND && standing.table() == Standing.Table.ROWS;
        return refresh.sinks().contains(standing.sink()) && older && !appendWithRows;
    }

    private static Verdict decide(Standing standing) {
        if (!standing.keepsMarks()) {
            return withoutMarks(standing.state());
        }
        Mark mark = standing.mark();
        boolean stateIsNewer =
                standing.state() != null && (mark == null || standing.state().generation() > mark.generation());
        if (mark != null) {
            Optional<Verdict> lost = tableLost(standing, mark, stateIsNewer);
            if (lost.isPresent()) {
                return lost.get();
            }
        }
        if (stateIsNewer) {
            Optional<Verdict> missing = belowBoth(standing.state(), mark);
            if (missing.isPresent()) {
                return missing.get();
            }
        }
        if (mark == null) {
            return withoutMark(standing);
        }
        return stateIsNewer ? atGenerationStart(standing, standing.state(), mark) : byMark(standing.state(), mark);
    }

    private static Verdict withoutMarks(@Nullable Position state) {
        return state == null
                ? new Verdict.Stands(Verdict.Reason.START, null, 0, null)
                : new Verdict.Stands(Verdict.Reason.STATE, state.value(), state.generation(), state.generationStart());
    }

    private static Optional<Verdict> tableLost(Standing standing, Mark mark, boolean stateIsNewer) {
        boolean gone = standing.table() == Standing.Table.GONE;
        boolean emptied = standing.table() == Standing.Table.EMPTY && !mark.tableEmpty();
        boolean startsAnew = stateIsNewer && standing.state().generationStart() == null;
        if ((!gone && !emptied) || startsAnew) {
            return Optional.empty();
        }
        Verdict.Disagreement what = gone ? Verdict.Disagreement.TABLE_GONE : Verdict.Disagreement.TABLE_EMPTIED;
        return Optional.of(new Verdict.Refused(what, mark.generationStart(), mark.value()));
    }

    private static Optional<Verdict> belowBoth(Position state, @Nullable Mark mark) {
        CursorValue start = state.generationStart();
        CursorValue stood = state.stood();
        CursorValue held = mark == null ? null : mark.value();
        if (start == null || stood == null || !isBelow(held, start) || !isBelow(held, stood)) {
            return Optional.empty();
        }
        return Optional.of(new Verdict.Refused(Verdict.Disagreement.ROWS_MISSING, held, CursorValue.min(start, stood)));
    }

    /** Nowhere is below everything; nothing is below nowhere. */
    private static boolean isBelow(@Nullable CursorValue a, @Nullable CursorValue b) {
        return b != null && (a == null || a.isBelow(b));
    }

    private static Verdict withoutMark(Standing standing) {
        if (standing.wouldDouble()) {
            return new Verdict.Refused(Verdict.Disagreement.ROWS_WITHOUT_MARK, null, null);
        }
        Position state = standing.state();
        return new Verdict.Stands(
                Verdict.Reason.START,
                state == null ? null : state.generationStart(),
                standing.stateGeneration(),
                state == null ? null : state.generationStart());
    }

    private static Verdict atGenerationStart(Standing standing, Position state, Mark mark) {
        CursorValue start = state.generationStart();
        if (standing.wouldDouble() && isBelow(start, mark.value())) {
            return new Verdict.Refused(Verdict.Disagreement.BACK_IN_APPEND, start, mark.value());
        }
        return new Verdict.Stands(Verdict.Reason.START, start, state.generation(), start);
    }

    private static Verdict byMark(@Nullable Position state, Mark mark) {
        boolean agree =
                state != null && state.generation() == mark.generation() && Objects.equals(state.value(), mark.value());
        return new Verdict.Stands(
                agree ? Verdict.Reason.AGREE : Verdict.Reason.ADOPT,
                mark.value(),
                mark.generation(),
                mark.generationStart());
    }
}
