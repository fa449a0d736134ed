package dev.weir.connector.duckdb;

import dev.weir.connector.jdbc.ChunkTable;
import dev.weir.connector.jdbc.Instants;
import dev.weir.fault.RunException;
import dev.weir.slicing.ChunkKey;
import dev.weir.slicing.ChunkMark;
import dev.weir.slicing.PlanKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * The chunks of backfills beside the tables of one schema: {@code _weir_chunks}.
 *
 * <p>Its primary key makes two transactions that insert one chunk collide, when the second inserts or when it commits.
 * Source of the rules: contract, section 6.
 */
final class Chunks {

    private final DuckSql sql;
    private final Known known;
    private final Connection connection;
    private final String catalog;
    private final String schema;
    private final String relation;
    private final ChunkTable chunks;

    Chunks(DuckSql sql, Known known, Connection connection, String place, String catalog, String schema) {
        this.sql = sql;
        this.known = known;
        this.connection = connection;
        this.catalog = catalog;
        this.schema = schema;
        this.relation = DuckFile.qualified(catalog, schema, ChunkTable.NAME);
        this.chunks = new ChunkTable(sql.on(connection), place, relation, Instants.TIMESTAMPTZ);
    }

    private boolean exist() throws SQLException {
        return known.ledger(relation, () -> sql.hasTable(connection, catalog, schema, ChunkTable.NAME));
    }

    List<ChunkMark> ofPlan(PlanKey plan) throws SQLException {
        return exist() ? chunks.ofPlan(plan) : List.of();
    }

    List<ChunkMark> ofOthers(PlanKey plan) throws SQLException {
        return exist() ? chunks.ofOthers(plan) : List.of();
    }

    List<ChunkMark> ofAll(String project, String pipeline, String sink) throws SQLException {
        return exist() ? chunks.ofAll(project, pipeline, sink) : List.of();
    }

    Optional<ChunkMark> find(ChunkKey key) throws SQLException {
        return exist() ? chunks.find(key) : Optional.empty();
    }

    /** See {@link dev.weir.connector.SinkTransaction#complete}. */
    void complete(ChunkMark done) throws SQLException {
        // Not by what is known: another transaction may have made the table since this one's snapshot, and then
        // collides.
        sql.update(connection, ChunkTable.creation(relation));
        try {
            chunks.complete(done);
        } catch (SQLException e) {
            if (DuckSql.isTaken(DuckSql.message(e))) {
                throw RunException.lasting(
                        chunks.heldElsewhere(done.key(), "another transaction has committed it, or is about to"), e);
            }
            throw e;
        }
    }
}
