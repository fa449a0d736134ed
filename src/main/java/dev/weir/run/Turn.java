package dev.weir.run;

import dev.weir.slicing.Advance;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Participation;
import java.math.BigInteger;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One slice of one source: who takes it, what was read, and where it leads. */
record Turn(BoundSource source, Participation participation, SliceReader.Read read, Advance advance) {

    /**
     * The rows of a turn that one sink gets.
     *
     * @param slice whether it takes the slice
     * @param again what it gets once more; empty: nothing
     */
    record Feed(boolean slice, Optional<CursorRange> again) {}

    boolean participates(BoundSink sink) {
        return participation.participants().contains(sink.name());
    }

    /** How many rows a feed holds. */
    long rows(Feed feed) {
        long again = feed.again().map(range -> read.again().get(range).rows()).orElse(0L);
        return (feed.slice() ? read.rows() : 0) + again;
    }

    /** What lies below every row of a feed; null on the first run. */
    @Nullable
    CursorValue watermark(Feed feed) {
        if (feed.again().isEmpty()) {
            return participation.lower();
        }
        CursorRange range = feed.again().get();
        return range.fromInclusive() ? range.from().plus(BigInteger.ONE.negate()) : range.from();
    }
}
