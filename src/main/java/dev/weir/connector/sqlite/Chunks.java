package dev.weir.connector.sqlite;

import dev.weir.connector.jdbc.ChunkTable;
import dev.weir.connector.jdbc.Statements;
import dev.weir.slicing.ChunkKey;
import dev.weir.slicing.ChunkMark;
import dev.weir.slicing.PlanKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * The chunks of backfills in a file, in its table {@code _weir_chunks}.
 *
 * <p>As with marks, a transaction that writes is alone in the file. Source of the rules: contract, section 6.
 */
final class Chunks {

    private static final String TABLE = OwnTable.sql(ChunkTable.NAME);

    private final Connection connection;
    private final ChunkTable chunks;

    Chunks(Connection connection, String place) {
        this.connection = connection;
        this.chunks = new ChunkTable(Statements.on(connection), place, TABLE, OwnTable.INSTANTS);
    }

    private boolean exists() throws SQLException {
        return OwnTable.exists(connection, ChunkTable.NAME);
    }

    List<ChunkMark> ofPlan(PlanKey plan) throws SQLException {
        return exists() ? chunks.ofPlan(plan) : List.of();
    }

    List<ChunkMark> ofOthers(PlanKey plan) throws SQLException {
        return exists() ? chunks.ofOthers(plan) : List.of();
    }

    List<ChunkMark> ofAll(String project, String pipeline, String sink) throws SQLException {
        return exists() ? chunks.ofAll(project, pipeline, sink) : List.of();
    }

    Optional<ChunkMark> find(ChunkKey key) throws SQLException {
        return exists() ? chunks.find(key) : Optional.empty();
    }

    /** Whether that run committed the chunk, in a transaction that nobody else is writing beside. */
    boolean holds(ChunkKey key, String runId) throws SQLException {
        return exists() && chunks.holds(key, runId);
    }

    /** See {@link dev.weir.connector.SinkTransaction#complete}. */
    void complete(ChunkMark done) throws SQLException {
        Session.execute(connection, ChunkTable.creation(TABLE));
        chunks.complete(done);
    }
}
