package dev.weir.run;

import dev.weir.connector.Sink;
import dev.weir.connector.TableName;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.plan.Plan;
import dev.weir.plan.SinkNode;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.Mark;
import dev.weir.slicing.Position;
import dev.weir.slicing.PositionKey;
import dev.weir.slicing.Standing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was found of one sink below an incremental source, before a slice is read.
 *
 * @param standing what the comparison needs
 */
record SinkFacts(BoundSink sink, PositionKey key, Standing standing) {

    /**
     * Asks the sink.
     *
     * @param cursor today's cursor of the source
     * @param whole all there is in the project
     * @param state what state remembers; null: nothing
     * @throws RunException {@code WR0505} when a stored value belongs to another cursor and would have to be compared
     */
    static SinkFacts read(
            BoundSink bound, PositionKey key, Sink sink, Cursor cursor, Plan whole, @Nullable Position state) {
        SinkNode node = bound.node();
        Mark mark = sink.mark(node.table(), key).orElse(null);
        Position comparable = comparable(node, cursor, state);
        boolean startsAnew = comparable != null
                && comparable.generationStart() == null
                && comparable.generation() > (mark == null ? -1 : mark.generation());
        if (mark != null && !mark.cursor().equals(cursor) && !startsAnew) {
            throw cursorChanged(node, mark.cursor(), cursor);
        }
        Standing.Table table = table(sink, node, key, whole, mark);
        return new SinkFacts(
                bound,
                key,
                new Standing(bound.name(), true, node.strategy(), node.acceptsDuplicates(), comparable, mark, table));
    }

    boolean tableExists() {
        return standing.table() != Standing.Table.GONE;
    }

    private static @Nullable Position comparable(SinkNode node, Cursor cursor, @Nullable Position state) {
        if (state == null || state.cursor().equals(cursor)) {
            return state;
        }
        if (state.value() == null && state.generationStart() == null) {
            return new Position(cursor, state.generation(), null, null, null, state.runId(), state.at());
        }
        throw cursorChanged(node, state.cursor(), cursor);
    }

    private static RunException cursorChanged(SinkNode node, Cursor stored, Cursor today) {
        return new RunException(
                Code.CURSOR_CHANGED,
                node.id(),
                "the stored position is of cursor " + stored + ", and the project now says " + today,
                "put the cursor back, or start over from initial with --full-refresh or 'weir state clear'");
    }

    private static Standing.Table table(Sink sink, SinkNode node, PositionKey key, Plan whole, @Nullable Mark mark) {
        TableName table = node.table();
        if (sink.describe(table).isEmpty()) {
            return Standing.Table.GONE;
        }
        if (!sink.hasRows(table)) {
            return Standing.Table.EMPTY;
        }
        return mark == null && isExplained(sink, table, key, whole)
                ? Standing.Table.OTHER_PIPELINES_ROWS
                : Standing.Table.ROWS;
    }

    /**
     * Marks of other pipelines explain a table's rows while all of them are still loaded, and so do chunks of backfills. A
     * mark that is not may be our own of before: a pipeline, an entity or a project that was renamed since.
     */
    static boolean isExplained(Sink sink, TableName table, PositionKey key, Plan whole) {
        List<PositionKey> marked = sink.marked(table, key.sink());
        boolean byOthers = marked.stream().allMatch(other -> !names(other, key) && isLoaded(other, whole));
        return byOthers && (!marked.isEmpty() || hasChunks(sink, table, key, whole));
    }

    private static boolean hasChunks(Sink sink, TableName table, PositionKey key, Plan whole) {
        return whole.pipelines().stream()
                .anyMatch(pipeline -> !sink.chunksOfAll(table, key.project(), pipeline.name(), key.sink())
                        .isEmpty());
    }

    private static boolean names(PositionKey other, PositionKey key) {
        return other.pipeline().equals(key.pipeline()) && other.source().equals(key.source());
    }

    private static boolean isLoaded(PositionKey other, Plan whole) {
        return !other.project().equals(whole.project())
                || whole.pipelines().stream()
                        .filter(pipeline -> pipeline.name().equals(other.pipeline()))
                        .anyMatch(pipeline -> pipeline.sinks().stream()
                                        .anyMatch(sink -> sink.id().equals(other.sink()))
                                && whole.sources(pipeline).stream()
                                        .anyMatch(source -> source.key().equals(other.source())));
    }
}
