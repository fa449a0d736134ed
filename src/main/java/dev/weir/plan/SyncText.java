package dev.weir.plan;

import dev.weir.project.Keyed;
import dev.weir.project.Place;
import dev.weir.project.Value;
import dev.weir.slicing.Sync;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What makes a source incremental, as its author wrote it: a {@code sync} block, or the cursor of a {@code watermark()}.
 *
 * <p>Its values are read by the cursor's type, which may be known only once the source's catalog is: see {@link
 * SyncCheck}.
 *
 * @param cursor the column, as its system spells it
 * @param place where the cursor is given
 */
public record SyncText(
        String cursor,
        Place place,
        Optional<Keyed<Value.Scalar>> cursorUnit,
        Optional<Keyed<Value.Scalar>> maxWindow,
        Optional<Keyed<Value.Scalar>> target,
        Optional<Keyed<Value.Scalar>> targetRows,
        Optional<Keyed<Value.Scalar>> maxWindowLimit,
        Optional<Keyed<Value.Scalar>> initial,
        Optional<Keyed<Value.Scalar>> until,
        Optional<Keyed<Value.Scalar>> delay,
        Optional<Keyed<Value.Scalar>> lookback,
        Optional<Keyed<Value.Scalar>> nulls,
        Optional<Keyed<Value.Scalar>> settle,
        Optional<Keyed<Value.Scalar>> settleTimeout) {

    /** All there is above the watermark, in one slice. */
    static SyncText unbounded(String cursor, Place place) {
        return new SyncText(
                cursor,
                place,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** What of the block applies to a backfill, which has bounds of its own. */
    SyncText scoped() {
        return new SyncText(
                cursor,
                place,
                cursorUnit,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                delay,
                Optional.empty(),
                nulls,
                settle,
                settleTimeout);
    }

    /** The same by another column, which counts what the block says only where it is the block's own. */
    SyncText scopedBy(String column, Place where) {
        return new SyncText(
                column,
                where,
                column.equals(cursor) ? cursorUnit : Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                delay,
                Optional.empty(),
                Optional.empty(),
                settle,
                settleTimeout);
    }

    /** The block's values by their source text. */
    public Sync.Text text() {
        return new Sync.Text(
                text(cursorUnit),
                text(maxWindow),
                text(initial),
                text(until),
                text(delay),
                text(lookback),
                text(nulls),
                text(settle),
                text(settleTimeout),
                text(target),
                text(targetRows),
                text(maxWindowLimit));
    }

    private static @Nullable String text(Optional<Keyed<Value.Scalar>> key) {
        return key.map(keyed -> keyed.value().text()).orElse(null);
    }

    /** Where a key of the block is written; where the cursor is given, when the block has no such key. */
    Place placeOf(String key) {
        Optional<Keyed<Value.Scalar>> keyed =
                switch (key) {
                    case "cursor_unit" -> cursorUnit;
                    case "max_window" -> maxWindow;
                    case "target" -> target;
                    case "target_rows" -> targetRows;
                    case "max_window_limit" -> maxWindowLimit;
                    case "initial" -> initial;
                    case "until" -> until;
                    case "delay" -> delay;
                    case "lookback" -> lookback;
                    case "nulls" -> nulls;
                    case "settle" -> settle;
                    case "settle_timeout" -> settleTimeout;
                    default -> Optional.empty();
                };
        return keyed.map(Keyed::place).orElse(place);
    }
}
