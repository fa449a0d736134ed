package dev.weir.plan;

import dev.weir.connector.TableName;
import dev.weir.project.Place;
import dev.weir.project.Value;
import dev.weir.slicing.OnSchemaChange;
import dev.weir.slicing.Strategy;
import java.util.List;
import java.util.Optional;

/**
 * One table that a pipeline writes.
 *
 * @param nodeId unique in the project: its id, and behind it the pipeline's name where several pipelines write the table
 * @param id {@code connection.table} as its system spells it: {@code lake.orders_synced}
 * @param keys the merge keys, at least one for a merge; empty for every other strategy
 * @param orderBy the column by which the greatest row of a key stays; empty: by default the source's cursor
 * @param keepColumns whether columns the pipeline does not produce keep their values
 * @param onSchemaChange what is done when the table has not the columns that are to be written
 * @param deleteWhen of a merge: the DuckDB condition on the output's rows whose keys are removed, at its place; not blank
 * @param acceptsDuplicates whether an append sink says {@code duplicates: 'accept'}
 * @param acceptsSlices whether it says {@code per_slice: 'accept'}
 * @param exactlyOnce whether it asks for {@code delivery: 'exactly_once'}
 * @param place where the sink is called
 */
public record SinkNode(
        String nodeId,
        String id,
        String connection,
        TableName table,
        Strategy strategy,
        List<String> keys,
        Optional<String> orderBy,
        boolean keepColumns,
        OnSchemaChange onSchemaChange,
        Optional<Value.Scalar> deleteWhen,
        boolean acceptsDuplicates,
        boolean acceptsSlices,
        boolean exactlyOnce,
        Place place) {

    public SinkNode {
        keys = List.copyOf(keys);
    }

    /** Whether rows are deleted and written anew, so that nothing is kept of what they held. */
    public boolean writesAnew() {
        return strategy == Strategy.REPLACE || strategy == Strategy.WINDOW;
    }

    /** The same table in another connection, written in the same way. */
    SinkNode in(String other) {
        String there = other + "." + table;
        return new SinkNode(
                there,
                there,
                other,
                table,
                strategy,
                keys,
                orderBy,
                keepColumns,
                onSchemaChange,
                deleteWhen,
                acceptsDuplicates,
                acceptsSlices,
                exactlyOnce,
                place);
    }
}
