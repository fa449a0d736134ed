package dev.weir.run;

import dev.weir.connector.Column;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.SourceColumn;
import dev.weir.plan.RenderContext;
import dev.weir.plan.SourceNode;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
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
     * @param column the type the cursor's column is read as: the cursor's own, or for an epoch one of numbers
     * @param fractionDigits how many digits of a second the cursor's column holds; null: the finest, or no time
     */
    record Incremental(
            Cursor cursor, CursorType column, @Nullable Integer fractionDigits, Sync sync) {

        /**
         * @param columnType the DuckDB type the cursor's column is read as, one that {@code sync} is right for
         * @param catalog the column as the source's catalog has it; empty: not asked
         */
        static Incremental of(String column, String columnType, Optional<SourceColumn> catalog, Sync sync) {
            CursorType stored = CursorType.named(columnType).orElseThrow();
            Cursor cursor = new Cursor(column, sync.type());
            return sync.type().isEpoch()
                    ? new Incremental(cursor, stored, digitsOfEpoch(sync.type(), stored, catalog), sync)
                    : new Incremental(
                            cursor,
                            stored,
                            catalog.map(SourceColumn::fractionDigits).orElse(null),
                            sync);
        }

        /** Where numbers count time their digits say it: a declaration adds none to what the column holds. */
        private static int digitsOfEpoch(CursorType epoch, CursorType stored, Optional<SourceColumn> catalog) {
            int declared = epoch.fractionDigits(stored);
            return catalog.flatMap(SourceColumn::type)
                    .flatMap(CursorType::named)
                    .filter(own -> !own.isTime())
                    .map(own -> Math.min(declared, epoch.fractionDigits(own)))
                    .orElse(declared);
        }

        /**
         * What {@code watermark()} is in SQL, which compares it with the column.
         *
         * @param lower exclusive; empty: below every value
         */
        RenderContext.Watermark watermark(Optional<CursorValue> lower) {
            return cursor.type().isEpoch()
                    ? new RenderContext.Watermark(column, lower.flatMap(value -> value.floor(column)))
                    : new RenderContext.Watermark(column, lower);
        }

        private Incremental with(UnaryOperator<Sync> change) {
            return new Incremental(cursor, column, fractionDigits, change.apply(sync));
        }
    }

    /** The same, windowed in another way, where it is. */
    BoundSource with(UnaryOperator<Sync> change) {
        return new BoundSource(node, request, incremental.map(how -> how.with(change)), notices);
    }

    /** The columns pipelines see. */
    List<Column> columns() {
        return request.columns();
    }
}
