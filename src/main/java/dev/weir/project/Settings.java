package dev.weir.project;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * What weir.yml says of the process.
 *
 * @param memory what DuckDB may use, as DuckDB reads it, as in {@code 512MB}; empty: DuckDB's own choice
 * @param threads how many threads DuckDB may use, at least 1; empty: DuckDB's own choice
 * @param retention how long runs are remembered
 * @param backfill what backfills take where their command line says nothing
 */
public record Settings(Optional<String> memory, OptionalInt threads, Retention retention, BackfillDefaults backfill) {

    public static final Settings NONE =
            new Settings(Optional.empty(), OptionalInt.empty(), Retention.DEFAULT, BackfillDefaults.NONE);
}
