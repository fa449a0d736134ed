package dev.weir.project;

import dev.weir.fault.Code;
import java.util.List;
import java.util.Optional;

/**
 * How an entity is read.
 *
 * @param columns the columns in their order; empty: all of the source's catalog
 * @param query the SELECT that stands for the entity, instead of a table; with or without tokens
 * @param sound whether it was read without a problem; if not, what is here is right but not complete
 */
public record ReadSpec(
        Optional<Keyed<List<ColumnSpec>>> columns,
        Optional<Keyed<SyncSpec>> sync,
        Optional<Keyed<Value.Tokens>> query,
        boolean sound) {

    public static final ReadSpec NONE = new ReadSpec(Optional.empty(), Optional.empty(), Optional.empty(), true);

    /** These options and those of a call; an option in both is a problem at the call's. */
    public ReadSpec with(ReadSpec call, Problems problems) {
        int before = problems.count();
        return new ReadSpec(
                one("columns", columns, call.columns, problems),
                one("sync", sync, call.sync, problems),
                one("query", query, call.query, problems),
                sound && call.sound && problems.count() == before);
    }

    ReadSpec unsound() {
        return new ReadSpec(columns, sync, query, false);
    }

    static <T> Optional<Keyed<T>> one(
            String option, Optional<Keyed<T>> declared, Optional<Keyed<T>> called, Problems problems) {
        if (declared.isPresent() && called.isPresent()) {
            problems.add(
                    Code.OPTION_TWICE,
                    called.get().place(),
                    "'" + option + "' is given here and at " + declared.get().place(),
                    "keep one of the two");
        }
        return declared.isPresent() ? declared : called;
    }
}
