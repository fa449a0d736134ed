package dev.weir.plan;

import dev.weir.connector.Column;
import dev.weir.connector.Entity;
import java.util.List;
import java.util.Optional;

/**
 * One entity that pipelines read: read once a pass, whoever reads it.
 *
 * @param id the node's name, and the table in {@code staging} its slices are staged as; unique in any case, of ASCII
 *     letters, digits and {@code _}: {@code src_pg_prod__public_orders}
 * @param key {@code connection.entity} as the entity's system spells it: what positions are kept under
 * @param columns the declared columns with their DuckDB types; empty: all of the source's catalog
 * @param sync what makes it incremental; empty: it is read whole
 */
public record SourceNode(
        String id, String key, String connection, Entity entity, List<Column> columns, Optional<SyncText> sync) {

    public SourceNode {
        columns = List.copyOf(columns);
    }

    public boolean isIncremental() {
        return sync.isPresent();
    }
}
