package dev.weir.run;

import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Mark;
import dev.weir.slicing.Position;
import dev.weir.slicing.Reconciliation.Refresh;
import dev.weir.slicing.Standing;
import dev.weir.slicing.Verdict;
import dev.weir.state.Moved;
import dev.weir.state.Stretch;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Takes up what a comparison found, before anything is read: notes a refresh, remembers adopted marks, says both. */
final class Adoption {

    private final Invocation invocation;

    Adoption(Invocation invocation) {
        this.invocation = invocation;
    }

    void of(Component component, Comparison.Compared compared) {
        for (BoundSource source : component.sources()) {
            List<Comparison.Ready> ready = compared.of(source);
            ready.forEach(this::take);
            Long refresh = compared.refreshes().get(source.node().id());
            if (refresh != null && !ready.isEmpty()) {
                Set<String> names = new HashSet<>();
                ready.forEach(sink -> names.add(sink.name()));
                invocation
                        .state()
                        .noteRefresh(invocation.plan().project(), source.node().key(), new Refresh(refresh, names));
            }
        }
    }

    /** An adopted mark is remembered at once, and what was not as expected is said. */
    private void take(Comparison.Ready ready) {
        said(ready).forEach(invocation.notes());
        Mark mark = ready.facts().standing().mark();
        if (ready.stands().reason() == Verdict.Reason.ADOPT && mark != null) {
            Position state = ready.facts().standing().state();
            Position adopted = new Position(
                    mark.cursor(),
                    mark.generation(),
                    mark.generationStart(),
                    mark.value(),
                    state != null && state.generation() == mark.generation() ? state.stood() : null,
                    mark.runId(),
                    mark.committedAt());
            invocation.save(List.of(new Moved(ready.facts().key(), adopted, unremembered(state, mark))));
        }
    }

    /** What a run loaded that died before it could say so; null: nothing that state knows the beginning of. */
    private static @Nullable Stretch unremembered(@Nullable Position state, Mark mark) {
        CursorValue to = mark.value();
        if (state == null || state.value() == null || to == null || state.generation() != mark.generation()) {
            return null;
        }
        return state.value().isBelow(to) ? new Stretch(state.value(), false, to, 0) : null;
    }

    /** What a person should know of where a sink stands; nothing where all is as expected. */
    static List<String> said(Comparison.Ready ready) {
        Standing standing = ready.facts().standing();
        String sink = ready.sink().node().id();
        return switch (ready.stands().reason()) {
            case ADOPT ->
                List.of(sink + ": state said "
                        + (standing.state() == null
                                ? "nothing"
                                : shown(standing.state().value()))
                        + ", the sink's mark says "
                        + shown(standing.mark() == null ? null : standing.mark().value()) + ": the mark is adopted");
            case START -> started(sink, standing, ready.stands().position());
            case REFRESH -> List.of(sink + ": takes up the full refresh that another sink has committed");
            case AGREE, STATE -> List.of();
        };
    }

    private static List<String> started(String sink, Standing standing, @Nullable CursorValue position) {
        if (standing.mark() != null) {
            return List.of();
        }
        String start = "loading starts at " + (position == null ? "initial" : position);
        if (standing.table() == Standing.Table.ROWS) {
            return List.of(sink + ": the table holds rows and no mark, so " + start);
        }
        CursorValue remembered =
                standing.state() == null ? null : standing.state().value();
        return remembered == null || remembered.equals(position)
                ? List.of()
                : List.of(sink + ": state said " + remembered + ", the sink holds neither a mark nor rows of it: "
                        + start);
    }

    private static String shown(@Nullable CursorValue value) {
        return value == null ? "nothing" : value.toString();
    }
}
