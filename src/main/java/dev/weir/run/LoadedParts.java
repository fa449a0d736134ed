package dev.weir.run;

import dev.weir.slicing.Coverage;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorValue;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Parts that were loaded by one cursor, laid over each other.
 *
 * <p>Where one ends is written as whoever ended there has it: behind the last value of a slice, before the end of a chunk.
 */
final class LoadedParts {

    private final Cursor cursor;
    private final List<LoadedPart> parts;
    private final Coverage coverage;
    private final Set<BigInteger> behindValues = new HashSet<>();

    /** @param parts all of that cursor; some may hold no value */
    LoadedParts(Cursor cursor, List<LoadedPart> parts) {
        this.cursor = cursor;
        this.parts = parts.stream()
                .filter(part -> part.start().compareTo(part.end()) < 0)
                .toList();
        this.coverage = Coverage.of(this.parts.stream().map(LoadedPart::stretch).toList());
        Set<BigInteger> beforeValues = new HashSet<>();
        for (LoadedPart part : this.parts) {
            (part.startsBehind() ? behindValues : beforeValues).add(part.start());
            (part.isForward() ? behindValues : beforeValues).add(part.end());
        }
        behindValues.removeAll(beforeValues);
    }

    CoverageReport.OfCursor report() {
        List<Coverage.Segment> segments = coverage.segments();
        List<Sum> sums = new ArrayList<>();
        segments.forEach(segment -> sums.add(new Sum()));
        parts.forEach(part -> add(part, segments, sums));
        List<CoverageReport.Stretch> stretches = new ArrayList<>();
        for (int i = 0; i < segments.size(); i++) {
            stretches.add(stretch(segments.get(i), sums.get(i)));
        }
        return new CoverageReport.OfCursor(
                cursor,
                stretches,
                coverage.holes().stream()
                        .map(hole -> range(hole.from(), hole.to()))
                        .toList());
    }

    /** What the parts that lie over a segment come to. */
    private static final class Sum {
        private @Nullable Instant first = Instant.MAX;
        private @Nullable Long rows = 0L;
    }

    /** A part lies over segments that follow one another, and its rows are known of all of them together only. */
    private void add(LoadedPart part, List<Coverage.Segment> segments, List<Sum> sums) {
        int begin = firstReaching(part.start(), segments);
        for (int i = begin; i < segments.size() && start(segments.get(i)).compareTo(part.end()) < 0; i++) {
            Sum sum = sums.get(i);
            boolean lastOne = end(segments.get(i)).compareTo(part.end()) >= 0;
            Long rows = i == begin && lastOne ? part.rows() : null;
            sum.rows = sum.rows == null || rows == null ? null : Long.valueOf(sum.rows + rows);
            Instant first = part.first();
            if (sum.first == null || first == null) {
                sum.first = null;
            } else if (first.isBefore(sum.first)) {
                sum.first = first;
            }
        }
    }

    private int firstReaching(BigInteger start, List<Coverage.Segment> segments) {
        int low = 0;
        int high = segments.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (end(segments.get(middle)).compareTo(start) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private BigInteger start(Coverage.Segment segment) {
        return LoadedPart.start(cursor.type(), segment.from());
    }

    private BigInteger end(Coverage.Segment segment) {
        return LoadedPart.end(cursor.type(), segment.to());
    }

    private CoverageReport.Stretch stretch(Coverage.Segment segment, Sum sum) {
        return new CoverageReport.Stretch(
                range(segment.from(), segment.to()),
                segment.times(),
                forwardFirst(segment.by()),
                Optional.ofNullable(sum.first),
                segment.last(),
                sum.rows == null ? OptionalLong.empty() : OptionalLong.of(sum.rows));
    }

    private static List<String> forwardFirst(SortedSet<String> by) {
        List<String> all = new ArrayList<>(by);
        if (all.remove(CoverageReport.FORWARD)) {
            all.add(0, CoverageReport.FORWARD);
        }
        return all;
    }

    private CoverageReport.Range range(@Nullable CursorValue from, @Nullable CursorValue to) {
        boolean behindFrom = from != null && behindValues.contains(from.units());
        boolean behindTo = to != null && behindValues.contains(to.units());
        return new CoverageReport.Range(
                behindFrom ? before(from) : from, !behindFrom, behindTo ? before(to) : to, behindTo);
    }

    private static CursorValue before(CursorValue value) {
        return value.plus(BigInteger.ONE.negate());
    }
}
