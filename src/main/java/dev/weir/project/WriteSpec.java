package dev.weir.project;

import java.util.List;
import java.util.Optional;

/**
 * How an entity is written; every option as its author wrote it.
 *
 * @param sound whether it was read without a problem; if not, what is here is right but not complete
 */
public record WriteSpec(
        Optional<Keyed<Value.Scalar>> strategy,
        Optional<Keyed<List<Value.Scalar>>> keys,
        Optional<Keyed<Value.Scalar>> orderBy,
        Optional<Keyed<Value.Scalar>> keepColumns,
        Optional<Keyed<Value.Scalar>> onSchemaChange,
        Optional<Keyed<Value.Scalar>> deleteWhen,
        Optional<Keyed<Value.Scalar>> duplicates,
        Optional<Keyed<Value.Scalar>> delivery,
        Optional<Keyed<Value.Scalar>> perSlice,
        boolean sound) {

    public static final WriteSpec NONE = new WriteSpec(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            true);

    /** These options and those of a call; an option in both is a problem at the call's. */
    public WriteSpec with(WriteSpec call, Problems problems) {
        int before = problems.count();
        return new WriteSpec(
                ReadSpec.one("strategy", strategy, call.strategy, problems),
                ReadSpec.one("keys", keys, call.keys, problems),
                ReadSpec.one("order_by", orderBy, call.orderBy, problems),
                ReadSpec.one("keep_columns", keepColumns, call.keepColumns, problems),
                ReadSpec.one("on_schema_change", onSchemaChange, call.onSchemaChange, problems),
                ReadSpec.one("delete_when", deleteWhen, call.deleteWhen, problems),
                ReadSpec.one("duplicates", duplicates, call.duplicates, problems),
                ReadSpec.one("delivery", delivery, call.delivery, problems),
                ReadSpec.one("per_slice", perSlice, call.perSlice, problems),
                sound && call.sound && problems.count() == before);
    }

    WriteSpec unsound() {
        return new WriteSpec(
                strategy, keys, orderBy, keepColumns, onSchemaChange, deleteWhen, duplicates, delivery, perSlice, false);
    }
}
