package dev.weir.run;

import dev.weir.slicing.Ceiling;
import dev.weir.slicing.CursorValue;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What time it is for a source, and how far an invocation may read it; fixed for all passes.
 *
 * @param now the earlier of the runner's clock and the source's own
 */
record SourceTime(Instant now, Optional<CursorValue> ceiling) {

    private static final Duration CLOCKS_AGREE = Duration.ofSeconds(1);

    /**
     * The times of all incremental sources, by id.
     *
     * @param now the runner's clock when the invocation began
     * @param notes told where two clocks differ
     */
    static Map<String, SourceTime> of(Bindings bindings, Instant now, Consumer<String> notes) {
        Map<String, SourceTime> times = new HashMap<>();
        bindings.sources().forEach((id, bound) -> bound.incremental().ifPresent(incremental -> {
            Bindings.Clocks clocks = bindings.clocks().getOrDefault(id, new Bindings.Clocks(now, now));
            if (Duration.between(clocks.runner(), clocks.source()).abs().compareTo(CLOCKS_AGREE) > 0) {
                notes.accept(bound.node().key() + ": its clock says " + clocks.source() + " and this machine's "
                        + clocks.runner() + "; the earlier one counts");
            }
            times.put(id, of(incremental, now, clocks.source()));
        }));
        return times;
    }

    private static SourceTime of(BoundSource.Incremental incremental, Instant runner, Instant source) {
        Instant now = source.isBefore(runner) ? source : runner;
        return new SourceTime(
                now, Ceiling.of(incremental.sync(), incremental.fractionDigits(), Ceiling.Measured.at(now)));
    }
}
