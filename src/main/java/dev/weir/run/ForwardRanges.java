package dev.weir.run;

import dev.weir.fault.RunException;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.Slice;
import dev.weir.slicing.Strategy;
import dev.weir.state.ActiveRanges;
import dev.weir.state.Loading;
import dev.weir.state.Sleeper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a run's slices apart from the chunks of backfills: what a pass may read is held from its snapshots to its commits.
 *
 * <p>Registered once an invocation for each component; thread-safe. Source of the rule: contract, section 6, "Beside forward
 * runs".
 */
final class ForwardRanges implements AutoCloseable {

    private final Invocation invocation;
    private final Map<List<String>, ActiveRanges.Forward> registered = new HashMap<>();

    ForwardRanges(Invocation invocation) {
        this.invocation = invocation;
    }

    /**
     * Waits until no chunk that a pass of the component could overlap is under way, and keeps others from beginning.
     *
     * @param letGo frees what is kept for later passes: it is done before each wait
     */
    ActiveRanges.Held enter(String runId, Component component, Comparison.Compared compared, Runnable letGo) {
        List<Loading> now = now(component, compared);
        List<Loading> widest = now.stream().map(ForwardRanges::above).toList();
        return enter(runId, keys(component), widest, now, letGo);
    }

    /** All that a pass of the component reads. */
    private static List<Loading> now(Component component, Comparison.Compared compared) {
        List<Loading> now = new ArrayList<>();
        for (BoundSource source : component.sources()) {
            for (Comparison.Ready ready : compared.of(source)) {
                Cursor cursor = source.incremental().orElseThrow().cursor();
                now.add(loading(ready.sink(), source, cursor, reach(source, ready)));
            }
        }
        return now;
    }

    /** Whether a component's range may be kept for its next pass: no chunk waits for it, or is under way beside it. */
    boolean mayKeep(Component component) {
        try {
            return forward(component).filter(ActiveRanges.Forward::isAlone).isPresent();
        } catch (RunException e) {
            // Where that cannot be told, nothing is kept; whoever needs state next tells what is wrong with it.
            return false;
        }
    }

    /** Whether a range that was kept is that of a pass. */
    boolean holds(Component component, Comparison.Compared compared) {
        return forward(component)
                .filter(forward -> forward.covers(now(component, compared)))
                .isPresent();
    }

    private Optional<ActiveRanges.Forward> forward(Component component) {
        synchronized (registered) {
            return Optional.ofNullable(registered.get(keys(component)));
        }
    }

    /** The same for pipelines that load everything they read; null: none of them merges, and nothing is held. */
    ActiveRanges.@Nullable Held enter(String runId, List<BoundPipeline> pipelines) {
        List<Loading> everything = new ArrayList<>();
        for (BoundPipeline pipeline : pipelines) {
            for (BoundSink sink : pipeline.sinks()) {
                if (sink.node().strategy() == Strategy.MERGE) {
                    pipeline.sources()
                            .forEach(source ->
                                    everything.add(new Loading(sink.node().id(), source.key(), null, null)));
                }
            }
        }
        return everything.isEmpty() ? null : enter(runId, List.of(), everything, everything, () -> {});
    }

    private static List<String> keys(Component component) {
        return component.sources().stream().map(source -> source.node().key()).toList();
    }

    private ActiveRanges.Held enter(
            String runId, List<String> whose, List<Loading> widest, List<Loading> now, Runnable letGo) {
        ActiveRanges.Forward forward;
        synchronized (registered) {
            forward = registered.computeIfAbsent(
                    whose, key -> invocation.state().activeRanges().register(widest, runId));
        }
        try {
            Sleeper sleeper = duration -> {
                letGo.run();
                invocation.pauseForOthers(duration);
            };
            return forward.enter(now, sleeper, invocation.notes());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Cancellation.CancelledException();
        }
    }

    /** Where nothing tells which of two rows is newer, any two loads could write the older one last. */
    static Loading loading(BoundSink sink, BoundSource source, Cursor cursor, CursorRange range) {
        boolean isBlind =
                sink.node().strategy() == Strategy.MERGE && sink.orderBy().isEmpty();
        return isBlind
                ? new Loading(sink.node().id(), source.node().key(), null, null)
                : new Loading(sink.node().id(), source.node().key(), cursor, range);
    }

    /** All that a sink can get of a source in this pass, however far it may be read in the end. */
    static CursorRange reach(BoundSource source, Comparison.Ready ready) {
        BoundSource.Incremental incremental = source.incremental().orElseThrow();
        CursorType type = incremental.cursor().type();
        Slice slice = Slice.of(new Slice.From(incremental.sync(), ready.stands().position(), null, null));
        CursorRange rows = slice instanceof Slice.Window window
                ? window.rows()
                : CursorRange.startingAt(type.least(), type.greatest());
        Optional<CursorRange> again = SliceReader.Asked.again(source, ready);
        CursorRange from = again.orElse(rows);
        // A window write deletes up to the ceiling where nothing is left.
        boolean deletes = ready.sink().node().strategy() == Strategy.WINDOW;
        return new CursorRange(from.from(), from.fromInclusive(), deletes ? type.greatest() : rows.to());
    }

    /** The same and all that lies above it. */
    private static Loading above(Loading loading) {
        CursorRange range = loading.range();
        return range == null
                ? loading
                : new Loading(
                        loading.sink(),
                        loading.source(),
                        loading.cursor(),
                        new CursorRange(
                                range.from(),
                                range.fromInclusive(),
                                range.to().type().greatest()));
    }

    @Override
    public void close() {
        registered.values().forEach(ActiveRanges.Forward::close);
    }
}
