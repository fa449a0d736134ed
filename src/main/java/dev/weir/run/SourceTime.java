package dev.weir.run;

import dev.weir.slicing.Ceiling;
import dev.weir.slicing.CursorValue;
import java.time.Instant;
import java.util.Optional;

/**
 * What time it is for a source, and how far an invocation may read it; fixed for all passes.
 *
 * @param now the earlier of the runner's clock and the source's own
 */
record SourceTime(Instant now, Optional<CursorValue> ceiling) {

    static SourceTime of(BoundSource.Incremental incremental, Instant runner, Instant source) {
        Instant now = source.isBefore(runner) ? source : runner;
        return new SourceTime(
                now, Ceiling.of(incremental.sync(), incremental.fractionDigits(), Ceiling.Measured.at(now)));
    }
}
