package dev.weir.project;

import java.util.Optional;

/** A template call of a pipeline, {@code {{ … }}}, its arguments read. Source of the calls: contract, section 2.2. */
public sealed interface Call {

    /** Where the call's name is written. */
    Place place();

    /** @param options what the call says of the entity */
    record Source(Place place, Value.Scalar connection, Value.Scalar entity, ReadSpec options) implements Call {}

    /** @param options what the call says of the entity */
    record Sink(Place place, Value.Scalar connection, Value.Scalar entity, WriteSpec options) implements Call {}

    /** @param cursor the column that makes the entity incremental */
    record Watermark(Place place, Value.Scalar connection, Value.Scalar entity, Optional<Keyed<Value.Scalar>> cursor)
            implements Call {}

    /**
     * {@code var(…)} or {@code env(…)}, its value known.
     *
     * @param sql the value as one SQL literal without a line break; may be a secret
     */
    record Literal(Place place, String sql) implements Call {}

    /** @param pipeline the pipeline whose rows are read */
    record Ref(Place place, Value.Scalar pipeline) implements Call {}

    record RunId(Place place) implements Call {}

    record RunStartedAt(Place place) implements Call {}

    /** A call that could not be read, which is a problem already. */
    record Unreadable(Place place) implements Call {}
}
