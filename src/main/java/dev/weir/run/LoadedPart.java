package dev.weir.run;

import dev.weir.slicing.Chunk;
import dev.weir.slicing.ChunkMark;
import dev.weir.slicing.Coverage;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Loaded;
import dev.weir.slicing.Mark;
import dev.weir.slicing.Position;
import dev.weir.state.BackfillRecord;
import dev.weir.state.ChunkRecord;
import dev.weir.state.LoadedStretch;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What forward runs loaded in one generation, or one chunk of a backfill did.
 *
 * @param stretch its values
 * @param startsBehind whether it begins behind a value that somebody has loaded before, as a slice does
 * @param first when the first of it was committed; null: nobody remembers
 * @param rows how many rows it delivered; null: nobody remembers
 */
record LoadedPart(
        Cursor cursor,
        Coverage.Stretch stretch,
        boolean startsBehind,
        @Nullable Instant first,
        @Nullable Long rows) {

    /**
     * What a mark says; empty: nothing was loaded.
     *
     * @param remembered the stretches of its position and generation that state remembers
     */
    static Optional<LoadedPart> of(Mark mark, List<LoadedStretch> remembered) {
        CursorValue start = remembered.stream()
                .filter(LoadedStretch::fromInclusive)
                .map(stretch -> stretch.range().from())
                .min(CursorValue::compareTo)
                .orElse(null);
        return Loaded.by(mark, start)
                .map(Loaded::range)
                .map(range -> forward(
                        mark.cursor(),
                        range,
                        first(mark, range, remembered),
                        mark.committedAt(),
                        mark.rowsDelivered()));
    }

    private static @Nullable Instant first(Mark mark, CursorRange range, List<LoadedStretch> remembered) {
        if (mark.seq() == 1) {
            return mark.committedAt();
        }
        return remembered.stream()
                .filter(stretch -> stretch.fromInclusive() == range.fromInclusive()
                        && stretch.range().from().equals(range.from()))
                .map(LoadedStretch::firstAt)
                .min(Instant::compareTo)
                .orElse(null);
    }

    /** What state remembers of a generation. */
    static LoadedPart of(LoadedStretch stretch) {
        return forward(stretch.cursor(), stretch.range(), stretch.firstAt(), stretch.lastAt(), stretch.rows());
    }

    /** What state remembers of a position alone; empty: nothing was loaded. */
    static Optional<LoadedPart> of(Position position) {
        CursorValue to = position.value();
        if (to == null) {
            return Optional.empty();
        }
        CursorValue start = position.generationStart();
        CursorRange range =
                start == null ? CursorRange.startingAt(to.type().least(), to) : CursorRange.above(start, to);
        return Optional.of(forward(position.cursor(), range, null, position.at(), null));
    }

    private static LoadedPart forward(
            Cursor cursor, CursorRange range, @Nullable Instant first, Instant last, @Nullable Long rows) {
        return new LoadedPart(
                cursor, Coverage.Stretch.of(range, CoverageReport.FORWARD, last), !range.fromInclusive(), first, rows);
    }

    /** What a chunk has loaded, by the cursor of one of its sources. */
    static LoadedPart of(ChunkMark mark, Cursor cursor) {
        return chunk(
                cursor,
                new Chunk(0, mark.from(), mark.to()),
                mark.key().plan().backfillId(),
                mark.committedAt(),
                mark.rows());
    }

    /** What state remembers of a completed chunk. */
    static LoadedPart of(BackfillRecord plan, ChunkRecord chunk, Cursor cursor) {
        Instant at = chunk.completedAt();
        return chunk(
                cursor,
                new Chunk(0, chunk.from(), chunk.to()),
                plan.backfillId(),
                at == null ? plan.createdAt() : at,
                chunk.recordsLoaded());
    }

    private static LoadedPart chunk(Cursor cursor, Chunk chunk, String backfillId, Instant at, @Nullable Long rows) {
        return new LoadedPart(cursor, Coverage.Stretch.of(chunk, backfillId, at), false, at, rows);
    }

    boolean isForward() {
        return stretch.by().equals(CoverageReport.FORWARD);
    }

    /** The units of its lowest value. */
    BigInteger start() {
        return start(stretch.type(), stretch.from());
    }

    /** The units behind its greatest value. */
    BigInteger end() {
        return end(stretch.type(), stretch.to());
    }

    static BigInteger start(CursorType type, @Nullable CursorValue from) {
        return from == null ? type.least().units() : from.units();
    }

    static BigInteger end(CursorType type, @Nullable CursorValue to) {
        return to == null ? type.greatest().units().add(BigInteger.ONE) : to.units();
    }
}
