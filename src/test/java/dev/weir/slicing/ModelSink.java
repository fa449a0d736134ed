package dev.weir.slicing;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A sink as the promise needs it: rows and mark that change together or not at all, and can be put back together. */
final class ModelSink {

    private static final int FILTERED = 3;
    private static final int OF = 7;

    /**
     * What the sink holds: a value, so that a snapshot is the value itself.
     *
     * @param rows how often each source row is there
     * @param exists whether the table was created
     * @param mark its mark; null: none, or the sink keeps none
     * @param skipped the ranges an operator moved it over
     */
    record Content(
            Map<Integer, Integer> rows,
            boolean exists,
            @Nullable Mark mark,
            List<CursorRange> skipped) {

        boolean isEmpty() {
            return rows.isEmpty();
        }
    }

    private final String name;
    private final Strategy strategy;
    private final boolean keepsMarks;
    private Content content = new Content(Map.of(), false, null, List.of());

    ModelSink(String name, Strategy strategy, boolean keepsMarks) {
        this.name = name;
        this.strategy = strategy;
        this.keepsMarks = keepsMarks;
    }

    String name() {
        return name;
    }

    Strategy strategy() {
        return strategy;
    }

    boolean keepsMarks() {
        return keepsMarks;
    }

    Content content() {
        return content;
    }

    void restore(Content snapshot) {
        content = snapshot;
    }

    /** The table is dropped, or emptied, behind the mark's back. */
    void loseRows(boolean gone) {
        content = new Content(Map.of(), !gone, content.mark(), content.skipped());
    }

    Standing standing(@Nullable Position state) {
        Standing.Table table = Standing.Table.GONE;
        if (content.exists()) {
            table = content.isEmpty() ? Standing.Table.EMPTY : Standing.Table.ROWS;
        }
        return new Standing(name, keepsMarks, strategy, false, state, content.mark(), table);
    }

    /** One transaction: the rows of the slice, and the mark where the position moved. */
    void commit(
            SourceRows source,
            Pass pass,
            Verdict.Stands from,
            @Nullable CursorValue stood,
            CursorValue end,
            Instant at) {
        Map<Integer, Integer> rows = new HashMap<>(content.rows());
        if (strategy == Strategy.WINDOW && pass.slice() instanceof Slice.Window window) {
            deleteRange(rows, source, pass, window, end);
        }
        for (SourceRows.Row row : pass.rows()) {
            if (passesTheSql(row)) {
                rows.merge(row.id(), 1, strategy == Strategy.MERGE ? (had, one) -> 1 : Integer::sum);
            }
        }
        boolean moved = pass.position() != null && !pass.position().equals(from.position());
        if (moved) {
            List<CursorRange> skipped = skippedFrom(from, stood);
            content = new Content(rows, true, keepsMarks ? mark(pass, from, rows.isEmpty(), at) : null, skipped);
        } else {
            content = new Content(rows, true, content.mark(), content.skipped());
        }
    }

    private static void deleteRange(
            Map<Integer, Integer> rows, SourceRows source, Pass pass, Slice.Window window, CursorValue end) {
        CursorValue to = pass.next().isPresent() ? pass.position() : end;
        CursorRange range = new CursorRange(window.rows().from(), window.rows().fromInclusive(), to);
        source.finiteIn(range).forEach(row -> rows.remove(row.id()));
    }

    private Mark mark(Pass pass, Verdict.Stands from, boolean empty, Instant at) {
        long seq = content.mark() == null ? 1 : content.mark().seq() + 1;
        Cursor cursor = new Cursor("c", pass.position().type());
        return new Mark(cursor, from.generation(), from.generationStart(), seq, pass.position(), 0, empty, "run", at);
    }

    /** Rows the pipeline's SQL does not let through. */
    static boolean passesTheSql(SourceRows.Row row) {
        return row.id() % OF != FILTERED;
    }

    /**
     * What an operator has moved the sink over, once it goes on from there: what lies above the new start is read again,
     * and what lies between where the sink stood and a higher start is not.
     *
     * @param stood where the sink stood when the generation it goes on in began; null: nowhere, or not known
     */
    List<CursorRange> skippedFrom(Verdict.Stands from, @Nullable CursorValue stood) {
        CursorValue start = from.position();
        if (!keepsMarks) {
            return content.skipped();
        }
        if (start == null) {
            return List.of();
        }
        List<CursorRange> skipped = new ArrayList<>();
        for (CursorRange range : content.skipped()) {
            skipped.add(new CursorRange(range.from(), range.fromInclusive(), CursorValue.min(range.to(), start)));
        }
        if (from.reason() == Verdict.Reason.START) {
            skipped.add(between(stood, start));
        }
        skipped.removeIf(CursorRange::isEmpty);
        return skipped;
    }

    static CursorRange between(@Nullable CursorValue above, CursorValue upTo) {
        return above == null ? CursorRange.startingAt(upTo.type().least(), upTo) : CursorRange.above(above, upTo);
    }

    /** A sink without marks is told of a skip at the edit itself, and keeps it for good. */
    void skip(CursorRange range) {
        List<CursorRange> skipped = new ArrayList<>(content.skipped());
        skipped.add(range);
        content = new Content(content.rows(), content.exists(), content.mark(), skipped);
    }
}
