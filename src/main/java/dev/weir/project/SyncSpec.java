package dev.weir.project;

import java.util.Optional;

/**
 * A {@code sync} block as its author wrote it; each key with its place.
 *
 * @param place where the key {@code sync} is written
 * @param cursor empty only when that is a problem already
 */
public record SyncSpec(
        Place place,
        Optional<Keyed<Value.Scalar>> cursor,
        Optional<Keyed<Value.Scalar>> cursorUnit,
        Optional<Keyed<Value.Scalar>> maxWindow,
        Optional<Keyed<Value.Scalar>> target,
        Optional<Keyed<Value.Scalar>> targetRows,
        Optional<Keyed<Value.Scalar>> maxWindowLimit,
        Optional<Keyed<Value.Scalar>> initial,
        Optional<Keyed<Value.Scalar>> until,
        Optional<Keyed<Value.Scalar>> delay,
        Optional<Keyed<Value.Scalar>> lookback,
        Optional<Keyed<Value.Scalar>> nulls,
        Optional<Keyed<Value.Scalar>> settle,
        Optional<Keyed<Value.Scalar>> settleTimeout) {}
