package dev.weir.run;

import dev.weir.connector.Sink;
import dev.weir.connector.TableName;
import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.RunException;
import dev.weir.slicing.Chunk;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Loaded;
import dev.weir.slicing.Mark;
import dev.weir.slicing.PlanKey;
import dev.weir.slicing.PositionKey;
import dev.weir.slicing.Spelling;
import dev.weir.slicing.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Refuses chunks whose rows an append sink may hold already: forward runs, or another plan, have loaded some of their range,
 * or anything by another cursor. Asked while the range is held, so that nothing changes meanwhile.
 *
 * <p>Source of the rule: contract, section 6.
 */
final class AppendGuard {

    private final Scope scope;
    private final BackfillTarget target;

    AppendGuard(Scope scope, BackfillTarget target) {
        this.scope = scope;
        this.target = target;
    }

    /** Whether rows that come twice would be there twice. */
    static boolean doubles(BoundSink sink) {
        return sink.node().strategy() == Strategy.APPEND && !sink.node().acceptsDuplicates();
    }

    /** @throws RunException {@code WR0602} for the first sink that may hold some of a chunk */
    void check(Chunk chunk, List<BoundSink> sinks) {
        refusal(List.of(chunk), sinks).ifPresent(fault -> {
            throw new RunException(fault);
        });
    }

    /** Why the backfill must not begin; empty: it may. */
    Optional<Fault> beforehand(List<Chunk> chunks) {
        List<BoundSink> sinks = target.pipeline().sinks();
        return sinks.stream()
                .filter(AppendGuard::doubles)
                .flatMap(sink ->
                        asking(sink, opened -> withUnknownRows(sink, opened))
                                .map(source -> unknown(sink, source))
                                .stream())
                .findFirst()
                .or(() -> refusal(chunks, sinks));
    }

    /** A source whose rows may be there: those that no mark and no chunk explains, of a project that was renamed, say. */
    private Optional<BoundSource> withUnknownRows(BoundSink sink, Sink opened) {
        TableName table = sink.node().table();
        if (opened.describe(table).isEmpty() || !opened.hasRows(table)) {
            return Optional.empty();
        }
        return target.scoped().stream()
                .filter(source -> {
                    PositionKey key = sink.key(target.project(), source.node().key());
                    return opened.mark(table, key).isEmpty()
                            && !SinkFacts.isExplained(opened, table, key, scope.whole());
                })
                .findFirst();
    }

    private Fault unknown(BoundSink sink, BoundSource source) {
        String key = source.node().key();
        return new Fault(
                Code.SINK_AND_MARK_DISAGREE,
                sink.node().id(),
                "the table holds rows, and neither a mark nor a chunk says what of " + key
                        + " they are, so an append could double them",
                (hasPosition(source)
                                ? "say up to where runs have loaded it: weir state adopt " + key + " --sink "
                                        + sink.node().id() + " --value V --reason …; or "
                                : "empty the table, or ")
                        + "make the sink a merge, or say duplicates: 'accept'");
    }

    /** Whether runs could keep where they are in a source, in the sinks of this backfill. */
    private boolean hasPosition(BoundSource source) {
        boolean readByRuns = source.node()
                .tokens()
                .flatMap(query -> query.text().ofBackfill())
                .isEmpty();
        return source.incremental().isPresent()
                && readByRuns
                && target.identity().into() == null;
    }

    /** Why the first of these chunks that may be there already must not be appended; empty: none may be. */
    private Optional<Fault> refusal(List<Chunk> chunks, List<BoundSink> sinks) {
        for (BoundSink sink : sinks) {
            if (doubles(sink)) {
                List<Loaded> loaded = asking(sink, opened -> loaded(sink, opened));
                for (Chunk chunk : loaded.isEmpty() ? List.<Chunk>of() : chunks) {
                    Optional<Loaded> found = Loaded.inTheWayOf(chunk.range(), target.cursor(), loaded);
                    if (found.isPresent()) {
                        return Optional.of(fault(
                                sink,
                                "chunk " + chunk.spelled(),
                                target.cursor(),
                                found.get(),
                                "choose a range that was not loaded (weir coverage " + sink.pipeline()
                                        + " shows which was)"));
                    }
                }
            }
        }
        return Optional.empty();
    }

    private <T> T asking(BoundSink sink, Function<Sink, T> question) {
        String connection = sink.node().connection();
        return scope.connections()
                .retries(connection)
                .run(() -> scope.connections().writing(connection, question), Retries.Listener.SILENT);
    }

    private List<Loaded> loaded(BoundSink sink, Sink opened) {
        List<Loaded> loaded = new ArrayList<>();
        PlanKey plan = target.planKey(sink);
        opened.chunksOfOthers(sink.node().table(), plan).forEach(chunk -> loaded.add(Loaded.by(chunk)));
        for (BoundSource source : target.scoped()) {
            PositionKey key = sink.key(plan.project(), source.node().key());
            for (Mark mark : opened.marks(sink.node().table(), key)) {
                Loaded.by(mark, start(key, mark)).ifPresent(loaded::add);
            }
        }
        return loaded;
    }

    /**
     * Where the loading of a mark's generation began: what its first slice included; null where nobody remembers, and all
     * below the mark may be there.
     */
    private @Nullable CursorValue start(PositionKey key, Mark mark) {
        return scope.remembered().stretches(key.source()).stream()
                .filter(stretch -> stretch.key().equals(key)
                        && stretch.generation() == mark.generation()
                        && stretch.cursor().equals(mark.cursor())
                        && stretch.fromInclusive())
                .map(stretch -> stretch.range().from())
                .min(CursorValue::compareTo)
                .orElse(null);
    }

    /**
     * What stands in the way of something that is to be appended.
     *
     * @param wayAround what to do where it can be told which rows are there
     */
    static Fault fault(BoundSink sink, String what, Cursor cursor, Loaded loaded, String wayAround) {
        boolean otherCursor = !loaded.cursor().equals(cursor);
        String why = otherCursor
                ? "rows were loaded by " + loaded.cursor() + ", by " + loaded.by() + ", so nobody can tell which"
                : spelled(loaded.range()) + " was loaded by " + loaded.by();
        return new Fault(
                Code.WOULD_DOUBLE,
                sink.node().id(),
                what + " would be appended to a table that may hold some of it: " + why,
                (otherCursor ? "" : wayAround + ", ") + "make the sink a merge, or say duplicates: 'accept'");
    }

    private static String spelled(CursorRange range) {
        if (range.from().equals(range.from().type().least())) {
            return "everything up to " + Spelling.of(range.to());
        }
        return (range.fromInclusive() ? "[" : "(") + Spelling.of(range.from()) + ", " + Spelling.of(range.to()) + "]";
    }
}
