package dev.weir.connector;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One column of an entity as the source's catalog tells it.
 *
 * @param name exactly as the source spells it
 * @param sourceType the source's own type name, for messages: {@code numeric(12,2)}
 * @param type the DuckDB type it is read as, as DuckDB prints it; empty: weir cannot read this type yet
 * @param fractionDigits for time columns: how many digits of a second the column holds; null: the type's finest
 * @param notice what the reader of a run must know of this mapping (an unbounded numeric read as text); null: nothing
 * @param typedByValue whether the system types values, not columns, or the column's values may be longer than any cursor's:
 *     each is checked against whatever type it is read as, and so is each cursor, inside and outside of windows
 */
public record SourceColumn(
        String name,
        String sourceType,
        Optional<String> type,
        @Nullable Integer fractionDigits,
        @Nullable String notice,
        boolean typedByValue) {}
