package dev.weir.project;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What weir.yml says of the process.
 *
 * @param memory what the process may use; empty: as the machine has
 * @param spill the folder that takes what does not fit it, relative to the project's or absolute; empty: weir's own
 * @param threads how many threads DuckDB may use, at least 1; empty: DuckDB's own choice
 * @param retention how long runs are remembered
 * @param backfill what backfills take where their command line says nothing
 */
public record Settings(
        Optional<Memory> memory,
        Optional<Path> spill,
        OptionalInt threads,
        Retention retention,
        BackfillDefaults backfill) {

    public static final Settings NONE = new Settings(
            Optional.empty(), Optional.empty(), OptionalInt.empty(), Retention.DEFAULT, BackfillDefaults.NONE);
}
