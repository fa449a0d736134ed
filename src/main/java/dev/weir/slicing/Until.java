package dev.weir.slicing;

/** Where a source counts as caught up, as its {@code sync} block says. */
public sealed interface Until {

    /** No {@code until}: there is no caught-up state. */
    record Never() implements Until {}

    /** {@code until: now}, for time cursors only. */
    record Now() implements Until {}

    /** @param value the highest cursor value wanted, inclusive */
    record Value(CursorValue value) implements Until {}
}
