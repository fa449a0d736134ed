package dev.weir.run;

import dev.weir.connector.Sink;
import dev.weir.fault.RunException;
import dev.weir.slicing.ChunkMark;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.Loaded;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Refuses append sinks that the next pass would give what a chunk of a backfill may have loaded. Asked by a run while the
 * range is held, so that nothing changes meanwhile.
 *
 * <p>Source of the rule: contract, section 6.
 */
final class SliceGuard {

    private final Scope scope;

    SliceGuard(Scope scope) {
        this.scope = scope;
    }

    /** Those sinks, by name, with why. */
    Map<String, RunException> refused(Component component, Comparison.Compared compared) {
        Map<String, RunException> refused = new LinkedHashMap<>();
        for (BoundSource source : component.sources()) {
            for (Comparison.Ready ready : compared.of(source)) {
                if (AppendGuard.doubles(ready.sink())) {
                    try {
                        RunException why = refusal(source, ready);
                        if (why != null) {
                            refused.putIfAbsent(ready.name(), why);
                        }
                    } catch (RunException e) {
                        refused.putIfAbsent(ready.name(), e);
                    }
                }
            }
        }
        return refused;
    }

    private @Nullable RunException refusal(BoundSource source, Comparison.Ready ready) {
        BoundSink sink = ready.sink();
        List<Loaded> loaded = chunks(sink).stream().map(Loaded::by).toList();
        Cursor cursor = source.incremental().orElseThrow().cursor();
        return Loaded.inTheWayOf(ForwardRanges.reach(source, ready), cursor, loaded)
                .map(found -> new RunException(AppendGuard.fault(
                        sink,
                        "the next slice of " + source.node().key(),
                        cursor,
                        found,
                        "load what lies below that with weir backfill and let runs go on above it with weir state set "
                                + source.node().key() + " --value V")))
                .orElse(null);
    }

    private List<ChunkMark> chunks(BoundSink sink) {
        String connection = sink.node().connection();
        return scope.connections()
                .retries(connection)
                .run(
                        () -> scope.connections()
                                .writing(
                                        connection,
                                        (Sink opened) -> opened.chunksOfAll(
                                                sink.node().table(),
                                                scope.plan().project(),
                                                sink.pipeline(),
                                                sink.node().id())),
                        Retries.Listener.SILENT);
    }
}
