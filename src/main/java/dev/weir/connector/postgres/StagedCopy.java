package dev.weir.connector.postgres;

import dev.weir.connector.DuckSession;
import dev.weir.connector.Staged;
import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.jdbc.StagedRows;
import dev.weir.connector.jdbc.Unrepresentable;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.duckdb.DuckDBReadableVector;
import org.postgresql.copy.CopyIn;

/** Streams staged rows out of DuckDB into a table of Postgres by binary COPY, a chunk at a time. */
final class StagedCopy {

    private final DuckSession duck;
    private final Session session;
    private final String place;

    StagedCopy(DuckSession duck, Session session, String place) {
        this.duck = duck;
        this.session = session;
        this.place = place;
    }

    /**
     * Copies every staged row.
     *
     * @param into the table and its columns in parentheses, in SQL
     * @param types the table's types by column
     * @param named the columns whose values name a row in a failure
     */
    void copy(Staged rows, String into, Map<String, PgType> types, List<String> named) {
        List<Encoding> encodings = rows.columns().stream()
                .map(column -> Encoding.of(DuckType.named(column.type()), types.get(column.name())))
                .toList();
        StagedRows staged = new StagedRows(
                duck, place, rows, encodings.stream().map(Encoding::wire).toList());
        CopyIn copy = begin(into);
        try {
            Sender sender = session.run(place, connection -> new Sender(staged, encodings, CopySink.of(copy), named));
            staged.forEach((vectors, row) -> run(staged, named, () -> sender.send(vectors, row)));
            run(staged, named, () -> end(sender.out, copy, rows.rows()));
        } finally {
            if (copy.isActive()) {
                cancel(copy);
            }
        }
    }

    /**
     * Copies every row as its source has sent it.
     *
     * @param into the table and its columns in parentheses, in SQL
     */
    void copy(RawCopy raw, long rows, String into) {
        CopyIn copy = begin(into);
        try {
            session.run(place, connection -> {
                raw.send(copy, place);
                check(copy.endCopy(), rows);
                return true;
            });
        } finally {
            if (copy.isActive()) {
                cancel(copy);
            }
        }
    }

    private CopyIn begin(String into) {
        return session.run(place, opened -> opened.getCopyAPI().copyIn("COPY " + into + " FROM STDIN (FORMAT binary)"));
    }

    /** A step that may fail as SQL fails. */
    @FunctionalInterface
    private interface Step {
        void take() throws SQLException;
    }

    /** The server says which row of the COPY it refuses; its keys tell more. */
    private void run(StagedRows staged, List<String> named, Step step) {
        session.run(place, connection -> {
            try {
                step.take();
                return true;
            } catch (SQLException e) {
                Optional<CopyPlace> where = CopyPlace.of(e);
                if (where.isEmpty()) {
                    throw e;
                }
                throw session.failures()
                        .of(place, e, where.get().told(staged.shown(where.get().row(), named)));
            }
        });
    }

    private static void cancel(CopyIn copy) {
        try {
            copy.cancelCopy();
        } catch (SQLException e) {
            // The failure that brought us here is the one to tell.
        }
    }

    private void end(CopySink out, CopyIn copy, long sent) throws SQLException {
        out.end();
        check(copy.endCopy(), sent);
    }

    private void check(long taken, long sent) {
        if (taken != sent) {
            throw session.failures()
                    .of(
                            place,
                            sent + " rows were sent and " + taken + " taken by the table",
                            "a trigger that drops rows? weir cannot vouch for what it is not told");
        }
    }

    /** Sends one row after the other. */
    private record Sender(
            StagedRows staged, List<Encoding> encodings, CopySink out, List<String> named, VectorCell cell) {

        Sender(StagedRows staged, List<Encoding> encodings, CopySink out, List<String> named) {
            this(staged, encodings, out, named, new VectorCell());
        }

        void send(DuckDBReadableVector[] vectors, int row) throws SQLException {
            out.putShort(vectors.length);
            for (int i = 0; i < vectors.length; i++) {
                if (vectors[i].isNull(row)) {
                    out.putNull();
                    continue;
                }
                try {
                    encodings.get(i).encoder().encode(cell.at(vectors[i], row), out);
                } catch (Unrepresentable e) {
                    throw staged.unrepresentable(vectors, row, i, named, e);
                }
            }
        }
    }
}
