package dev.weir.plan;

import dev.weir.connector.Column;
import dev.weir.connector.Entity;
import dev.weir.project.Value;
import dev.weir.slicing.Moment;
import java.util.List;
import java.util.Optional;

/**
 * One entity that pipelines read: read once a pass, whoever reads it.
 *
 * @param id the node's name, and the table in {@code staging} its slices are staged as; unique in any case, of ASCII
 *     letters, digits and {@code _}: {@code src_pg_prod__public_orders}
 * @param key {@code connection.entity} as the entity's system spells it: what positions are kept under
 * @param entity what is read; a query with tokens is as its author wrote it until {@link #at} has filled them
 * @param columns the declared columns with their DuckDB types; empty: all of the source's catalog
 * @param sync what makes it incremental; empty: it is read whole
 * @param tokens its query where that has tokens, with its place
 * @param orderCursor the column that by default decides between rows of one key in a merge; empty: none does
 */
public record SourceNode(
        String id,
        String key,
        String connection,
        Entity entity,
        List<Column> columns,
        Optional<SyncText> sync,
        Optional<Value.Tokens> tokens,
        Optional<String> orderCursor) {

    public SourceNode {
        columns = List.copyOf(columns);
    }

    public boolean isIncremental() {
        return sync.isPresent();
    }

    /** Whether the bounds of a chunk say which of its rows are read: by its cursor, or by tokens in its query. */
    public boolean isScoped() {
        return isIncremental() || tokens.isPresent();
    }

    /**
     * The same source, its tokens filled: for a run for good, so that nothing but a cursor scopes it; for a chunk they can
     * be filled again for another one.
     *
     * @throws IllegalStateException when a token has no value then, as {@link dev.weir.slicing.TokenText} tells
     *     beforehand: a programming error
     */
    public SourceNode at(Moment moment) {
        return tokens.map(query -> reading(
                        new Entity.Query(entity.name(), query.text().render(moment)),
                        moment instanceof Moment.OfRun ? Optional.empty() : tokens))
                .orElse(this);
    }

    private SourceNode reading(Entity.Query filled, Optional<Value.Tokens> left) {
        return new SourceNode(id, key, connection, filled, columns, sync, left, orderCursor);
    }

    /** The same source, its rows scoped so; in a merge rows stay ordered as before, where they were. */
    SourceNode scopedBy(SyncText scope) {
        return new SourceNode(
                id,
                key,
                connection,
                entity,
                columns,
                Optional.of(scope),
                tokens,
                orderCursor.or(() -> Optional.of(scope.cursor())));
    }
}
