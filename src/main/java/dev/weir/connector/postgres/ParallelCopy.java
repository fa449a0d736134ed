package dev.weir.connector.postgres;

import dev.weir.connector.ColumnWriter;
import dev.weir.connector.SliceRead;
import dev.weir.fault.RunException;
import dev.weir.slicing.CursorRange;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/**
 * A slice that comes over several connections at once, each of which reads a part of its range in the one snapshot.
 *
 * <p>The transaction whose snapshot it is holds its tables since before the snapshot began, so that nobody can have written
 * them anew before the others lock them too. It stays open until all parts are read. Source: PostgreSQL manual, "Snapshot
 * Synchronization Functions" and "SET TRANSACTION".
 */
final class ParallelCopy implements AutoCloseable {

    /**
     * Somebody who waits to alter the table waits for the first transaction, and a further one would wait for him: the
     * server sees no deadlock there, since the first one waits for weir.
     */
    private static final String NO_LONG_WAIT = "SET LOCAL lock_timeout = 1000";

    /** Behind a pooler another server may answer, whose transactions have such names too. */
    private static final String SEEN =
            "SELECT pg_catalog.concat(pg_catalog.pg_postmaster_start_time(), ' ', pg_catalog.txid_current_snapshot())";

    private final Sessions sessions;
    private final String place;
    private final ReadPlan plan;
    private final List<Session> further = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    private ParallelCopy(Sessions sessions, String place, ReadPlan plan) {
        this.sessions = sessions;
        this.place = place;
        this.plan = plan;
    }

    /** What lets another transaction see the same, and how it is known that it does. */
    private record Shared(String snapshot, String seen) {}

    /** One part on its way; a failure of it is one of all. */
    private final class Part implements SliceRead.Vectors {

        private final Session session;
        private final CopyRead read;

        Part(Session session, CopyRead read) {
            this.session = session;
            this.read = read;
        }

        @Override
        public List<WireColumn> columns() {
            return read.columns();
        }

        @Override
        public int fill(ColumnWriter writer) {
            try {
                return read.fill(writer);
            } catch (RuntimeException | Error e) {
                if (failure.compareAndSet(null, e)) {
                    abandon();
                } else if (failure.get() instanceof RuntimeException first) {
                    throw first;
                }
                throw e;
            }
        }
    }

    /**
     * Begins to read a range's parts.
     *
     * @param first the session that has the snapshot; it reads a part too
     * @return empty where no further connection is to be had, or it does not see the same: nothing is under way then
     */
    static Optional<ParallelCopy> start(
            Session first, Sessions sessions, String place, ReadPlan plan, List<CursorRange> ranges) {
        Shared shared = first.run(place, ParallelCopy::share);
        ParallelCopy copy = new ParallelCopy(sessions, place, plan);
        boolean begun = false;
        try {
            for (CursorRange range : ranges.subList(1, ranges.size())) {
                copy.begin(copy.joined(shared), range);
            }
            begun = true;
        } catch (RunException e) {
            // The slice can be read over the first connection alone, which meets whatever is wrong in earnest.
            return Optional.empty();
        } finally {
            if (!begun) {
                copy.close();
            }
        }
        try {
            copy.begin(first, ranges.get(0));
        } catch (RuntimeException e) {
            copy.close();
            throw e;
        }
        return Optional.of(copy);
    }

    private static Shared share(PgConnection connection) throws SQLException {
        return new Shared(text(connection, "SELECT pg_catalog.pg_export_snapshot()"), text(connection, SEEN));
    }

    private static String text(PgConnection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }

    private Session joined(Shared shared) {
        Session session = sessions.take();
        further.add(session);
        session.begin(place, Session.Mode.SNAPSHOT);
        return session.run(place, connection -> {
            Session.execute(connection, NO_LONG_WAIT);
            Session.execute(
                    connection,
                    "SET TRANSACTION SNAPSHOT '" + shared.snapshot.replace("'", "''") + "'");
            if (!text(connection, SEEN).equals(shared.seen)) {
                throw new PSQLException("another server answered", PSQLState.INVALID_PARAMETER_VALUE);
            }
            return session;
        });
    }

    private void begin(Session session, CursorRange range) {
        parts.add(new Part(session, CopyRead.start(session, place, plan, Optional.of(range))));
    }

    SliceRead.Streams read() {
        return new SliceRead.Streams(parts);
    }

    /** Whether everything was read, so that the first connection can be used for something else. */
    boolean isComplete() {
        return parts.stream().allMatch(part -> part.read.isComplete());
    }

    /** Ends what is not read to its end, so that nobody waits for it any more. */
    private void abandon() {
        Sessions.atOnce(
                parts.stream()
                        .filter(part -> !part.read.isComplete() && part.session.isUsable())
                        .map(part -> part.session)
                        .toList(),
                Session::abandon);
    }

    /** Ends any read still under way and gives the further connections back. Never fails. */
    @Override
    public void close() {
        abandon();
        further.forEach(sessions::giveBack);
    }
}
