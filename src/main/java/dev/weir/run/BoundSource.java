package dev.weir.run;

import dev.weir.connector.Column;
import dev.weir.connector.ReadRequest;
import dev.weir.plan.SourceNode;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.Sync;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A source whose columns and windows are known: what the project says, settled with what the source's catalog says.
 *
 * @param request what is read of it
 * @param incremental how it is windowed; empty: it is read in full
 * @param notices what the reader of the run must know of its types
 */
record BoundSource(SourceNode node, ReadRequest request, Optional<Incremental> incremental, List<String> notices) {

    /**
     * How a source is windowed.
     *
     * @param fractionDigits how many digits of a second the cursor's column holds; null: the finest, or no time
     */
    record Incremental(Cursor cursor, @Nullable Integer fractionDigits, Sync sync) {}

    /** The same, windowed in another way, where it is. */
    BoundSource with(UnaryOperator<Sync> change) {
        return new BoundSource(
                node,
                request,
                incremental.map(how -> new Incremental(how.cursor(), how.fractionDigits(), change.apply(how.sync()))),
                notices);
    }

    /** The columns pipelines see. */
    List<Column> columns() {
        return request.columns();
    }
}
