package dev.weir.project;

import dev.weir.slicing.Resumption.OnExisting;
import java.time.ZoneId;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What weir.yml says of backfills where their command line says nothing. Source of the rule: contract, section 6.
 *
 * @param window how much of the range is one chunk, as it is written: its meaning is the cursor's type's; empty: all of it
 * @param concurrency how many chunks are in flight at once, 1 to 64; empty: one
 * @param timezone where days and dates begin; empty: UTC
 * @param onExisting what becomes of a plan that is found again
 */
public record BackfillDefaults(
        Optional<String> window, OptionalInt concurrency, Optional<ZoneId> timezone, OnExisting onExisting) {

    /** What holds where weir.yml says nothing. */
    public static final BackfillDefaults NONE =
            new BackfillDefaults(Optional.empty(), OptionalInt.empty(), Optional.empty(), OnExisting.RESUME);
}
