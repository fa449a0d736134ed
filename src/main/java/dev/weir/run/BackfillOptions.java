package dev.weir.run;

import dev.weir.slicing.Resumption;
import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * How a backfill is to go.
 *
 * @param pipeline its name; null: the project's only one
 * @param from the lower bound as written, inclusive
 * @param to the upper bound as written, exclusive
 * @param window how far a chunk reaches, as written; null: what weir.yml says, else one chunk
 * @param timezone whose days and months count, as written; null: what weir.yml says, else UTC
 * @param concurrency how many chunks are in flight; empty: what weir.yml says, else one
 * @param wish what is asked for of a plan that exists, or must
 * @param into the connection that is written to instead; null: the pipeline's own
 * @param cursor the column that scopes instead; null: the source's own cursor
 * @param keepGoing whether chunks are begun after one has failed
 * @param threads how many threads DuckDB uses; empty: what weir.yml says
 * @param patience how long to wait at the end for chunks that others hold
 * @param command the command line's words for the history, without secrets
 */
public record BackfillOptions(
        @Nullable String pipeline,
        String from,
        String to,
        @Nullable String window,
        @Nullable String timezone,
        OptionalInt concurrency,
        Resumption.Wish wish,
        @Nullable String into,
        @Nullable String cursor,
        boolean keepGoing,
        OptionalInt threads,
        Duration patience,
        String command) {}
