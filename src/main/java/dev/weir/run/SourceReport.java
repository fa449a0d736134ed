package dev.weir.run;

import dev.weir.event.Incremental;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Participation;
import dev.weir.slicing.Slice;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tells how far a source has come, once its sinks are done with its slice. */
final class SourceReport {

    private final Journal journal;
    private final Turn turn;
    private final SourceTime time;

    SourceReport(Journal journal, Turn turn, SourceTime time) {
        this.journal = journal;
        this.turn = turn;
        this.time = time;
    }

    /**
     * @param positions where each selected sink stands now
     * @param failed whether a selected sink below the source did not come through
     */
    void tell(Journal.Node node, Map<String, @Nullable CursorValue> positions, boolean failed) {
        BoundSource source = turn.source();
        BoundSource.Incremental incremental = source.incremental().orElseThrow();
        CursorValue before = turn.participation().lower();
        CursorValue watermark = Participation.lowest(positions);
        if (watermark != null && !watermark.equals(before)) {
            journal.watermarkAdvanced(source.node().key(), incremental.cursor(), before, watermark);
        }
        SliceReader.Read read = turn.read();
        Incremental.Window window = read.slice() instanceof Slice.Window asked
                ? new Incremental.Window(
                        asked.rows().from(),
                        asked.rows().to(),
                        asked.rows().fromInclusive(),
                        incremental.sync().target() == null ? null : asked.maxWindow())
                : null;
        boolean atEnd = turn.advance().atEnd();
        node.succeeded(
                read.rows(),
                new Incremental(
                        window,
                        incremental.cursor(),
                        before,
                        watermark,
                        time.ceiling().orElse(null),
                        atEnd,
                        turn.advance().skippedWindows(),
                        read.rowsAgain(),
                        time.heldBack().orElse(null),
                        incremental.sync().hasStop() ? atEnd && !failed : null));
    }
}
