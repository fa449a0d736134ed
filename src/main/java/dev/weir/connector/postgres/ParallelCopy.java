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

    /** One part on its way, asked for when its first rows are wanted; a failure of it is one of all. */
    private final class Part implements SliceRead.Vectors {

        private final Session session;
        private final CursorRange range;
        private final String name;
        private volatile boolean begun;
        private volatile @Nullable CopyRead read;

        Part(Session session, CursorRange range) {
            this.session = session;
            this.range = range;
            this.name = "part " + (parts.size() + 1) + " of the slice";
        }

        @Override
        public List<WireColumn> columns() {
            return plan.columns().stream().map(ReadColumn::wired).toList();
        }

        @Override
        public int fill(ColumnWriter writer) {
            try {
                return begin().fill(writer);
            } catch (RuntimeException | Error e) {
                if (failure.compareAndSet(null, e)) {
                    abandon();
                } else if (failure.get() instanceof RuntimeException first) {
                    throw first;
                }
                throw e;
            }
        }

        /** By the thread that fills it: a server may look for the first rows for long, and for those of all parts at once. */
        private CopyRead begin() {
            CopyRead started = read;
            if (started == null) {
                begun = true;
                // A part that fails from now on ends this one too; one that failed before could not.
                if (failure.get() instanceof RuntimeException first) {
                    throw first;
                }
                started = CopyRead.start(session, place, plan, Optional.of(range), name);
                read = started;
            }
            return started;
        }

        boolean isComplete() {
            return read != null && read.isComplete();
        }

        boolean isUnderWay() {
            return begun && !isComplete() && session.isUsable();
        }
    }

    /**
     * Prepares to read a range's parts.
     *
     * @param first the session that has the snapshot; it reads a part too
     * @return empty where no further connection is to be had, or it does not see the same: all is as before then
     */
    static Optional<ParallelCopy> of(
            Session first, Sessions sessions, String place, ReadPlan plan, List<CursorRange> ranges) {
        Shared shared = first.run(place, ParallelCopy::share);
        ParallelCopy copy = new ParallelCopy(sessions, place, plan);
        copy.parts.add(copy.new Part(first, ranges.get(0)));
        try {
            for (CursorRange range : ranges.subList(1, ranges.size())) {
                copy.parts.add(copy.new Part(copy.joined(shared), range));
            }
            return Optional.of(copy);
        } catch (RunException e) {
            // The slice can be read over the first connection alone, which meets whatever is wrong in earnest.
            copy.close();
            return Optional.empty();
        }
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
            Session.execute(connection, "SET TRANSACTION SNAPSHOT '" + shared.snapshot.replace("'", "''") + "'");
            if (!text(connection, SEEN).equals(shared.seen)) {
                throw new PSQLException("another server answered", PSQLState.INVALID_PARAMETER_VALUE);
            }
            // Locks whatever the read will, so that it waits for nobody once the parts are under way.
            Session.execute(connection, plan.select(Optional.empty()) + " LIMIT 0");
            return session;
        });
    }

    SliceRead.Streams read() {
        return new SliceRead.Streams(parts);
    }

    /** Whether everything was read, so that the first connection can be used for something else. */
    boolean isComplete() {
        return parts.stream().allMatch(Part::isComplete);
    }

    /** Ends what is under way, so that nobody waits for it any more. */
    private void abandon() {
        Sessions.atOnce(
                parts.stream()
                        .filter(Part::isUnderWay)
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
