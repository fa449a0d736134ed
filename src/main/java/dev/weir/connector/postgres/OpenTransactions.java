package dev.weir.connector.postgres;

import dev.weir.connector.Entity;
import dev.weir.connector.ReadRequest;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Sample;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.jdbc.PgConnection;

/**
 * Finds out which transactions may still commit rows, in autocommit: within a transaction the server would tell the same
 * again and again.
 *
 * <p>What must not be missed is asked last: a transaction is open before it is prepared, and holds its lock before it draws
 * a number. Source of the rule: contract, section 3.2; PostgreSQL manual, "The Cumulative Statistics System" and
 * "pg_locks".
 */
final class OpenTransactions {

    /** Transactions of these write no rows of tables. All others count, those of extensions too. */
    private static final String WRITE_NOTHING =
            "'autovacuum launcher', 'autovacuum worker', 'logical replication launcher',"
                    + " 'background writer', 'checkpointer', 'archiver', 'startup', 'walreceiver', 'walsender', 'walwriter',"
                    + " 'walsummarizer', 'slotsync worker', 'io worker'";

    /** Its own sessions read only, and say so by their name. */
    private static final String OPEN =
            "SELECT pid, usename, application_name, state, backend_type, xact_start FROM pg_catalog.pg_stat_activity"
                    + " WHERE pid <> pg_catalog.pg_backend_pid() AND xact_start IS NOT NULL"
                    + " AND backend_type NOT IN (" + WRITE_NOTHING + ") AND application_name <> '"
                    + Address.READER + "' ORDER BY xact_start";

    private static final String PREPARED =
            "SELECT gid, owner, prepared FROM pg_catalog.pg_prepared_xacts ORDER BY prepared";

    /** The table, what it is a part of, and what is part of it. */
    private static final String FAMILY = "WITH RECURSIVE below AS (SELECT ?::oid AS oid UNION SELECT i.inhrelid FROM"
            + " pg_catalog.pg_inherits i JOIN below ON i.inhparent = below.oid),"
            + " above AS (SELECT ?::oid AS oid UNION SELECT i.inhparent FROM pg_catalog.pg_inherits i JOIN above ON"
            + " i.inhrelid = above.oid), family AS (SELECT oid FROM below UNION SELECT oid FROM above) ";

    /** What numbers are drawn from by default; who has drawn one has a lock on it from then on, with no row written yet. */
    private static final String SEQUENCES = "SELECT s.oid FROM pg_catalog.pg_class s JOIN pg_catalog.pg_depend d"
            + " ON d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = s.oid"
            + " AND d.refclassid = 'pg_catalog.pg_class'::regclass JOIN family ON d.refobjid = family.oid"
            + " WHERE s.relkind = 'S' UNION SELECT s.oid FROM pg_catalog.pg_class s JOIN pg_catalog.pg_depend d"
            + " ON d.refclassid = 'pg_catalog.pg_class'::regclass AND d.refobjid = s.oid"
            + " AND d.classid = 'pg_catalog.pg_attrdef'::regclass JOIN pg_catalog.pg_attrdef a ON a.oid = d.objid"
            + " JOIN family ON a.adrelid = family.oid WHERE s.relkind = 'S'";

    /** Who writes rows has ROW EXCLUSIVE, whatever else it has. SHARE UPDATE EXCLUSIVE alone is a vacuum or an index. */
    private static final String WRITERS = FAMILY
            + "SELECT DISTINCT l.virtualtransaction, l.pid, a.usename, a.application_name, a.state, a.xact_start"
            + " FROM pg_catalog.pg_locks l LEFT JOIN pg_catalog.pg_stat_activity a ON a.pid = l.pid"
            + " WHERE l.locktype = 'relation' AND l.granted AND l.pid <> pg_catalog.pg_backend_pid()"
            + " AND l.database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database())"
            + " AND l.relation IN (SELECT oid FROM family UNION " + SEQUENCES + ")"
            + " AND l.mode IN ('RowExclusiveLock', 'ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock',"
            + " 'AccessExclusiveLock') ORDER BY a.xact_start";

    private static final String STILL_OPEN =
            "SELECT DISTINCT virtualtransaction FROM pg_catalog.pg_locks WHERE virtualtransaction = ANY(?)";

    private final Session session;
    private final String place;

    OpenTransactions(Session session, String place) {
        this.session = session;
        this.place = place;
    }

    Sample sample(ReadRequest request) {
        if (!(request.entity() instanceof Entity.Table named)) {
            return new Sample.Untold("rows of a query may appear by commits in any table");
        }
        Catalog.Table table =
                session.run(place, connection -> PostgresSource.table(connection, session.failures(), place, named));
        boolean isTime = request.cursor().orElseThrow().type().isTime();
        Optional<String> untold = session.run(place, connection -> untold(connection, table, isTime));
        if (untold.isPresent()) {
            return new Sample.Untold(untold.get());
        }
        return isTime ? times() : numbers(request, table);
    }

    private Optional<String> untold(PgConnection connection, Catalog.Table table, boolean isTime) throws SQLException {
        if (Session.truth(connection, "SELECT pg_catalog.pg_is_in_recovery()")) {
            return Optional.of("the server is a standby, which does not know the open transactions of its primary");
        }
        if (!table.isOrdinary()) {
            return Optional.of(table.name() + " is no table of its own, and its rows appear by commits elsewhere");
        }
        if (has(
                connection,
                "SELECT 1 FROM family JOIN pg_catalog.pg_class c USING (oid) WHERE c.relkind = 'f'",
                table)) {
            return Optional.of("a partition of " + table.name() + " is in another server");
        }
        if (has(connection, "SELECT 1 FROM family JOIN pg_catalog.pg_subscription_rel s ON s.srrelid = oid", table)) {
            return Optional.of(table.name() + " is filled by a subscription, whose transactions began elsewhere");
        }
        return isTime ? untoldTimes(connection) : Optional.empty();
    }

    private Optional<String> untoldTimes(PgConnection connection) throws SQLException {
        if (!Session.truth(connection, "SELECT pg_catalog.pg_has_role('pg_read_all_stats', 'USAGE')")) {
            String user = session.failures().user();
            return Optional.of(user + " does not see when transactions of others began: GRANT pg_read_all_stats TO "
                    + Sql.quote(user));
        }
        boolean disabled = Session.truth(
                connection, "SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_stat_activity WHERE state = 'disabled')");
        return disabled ? Optional.of("track_activities is off") : Optional.empty();
    }

    private static boolean has(PgConnection connection, String query, Catalog.Table table) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(FAMILY + query)) {
            statement.setLong(1, table.oid());
            statement.setLong(2, table.oid());
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next();
            }
        }
    }

    private Sample times() {
        return session.run(place, connection -> {
            Instant at = clock(connection);
            List<Sample.Session> open = new ArrayList<>();
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(OPEN)) {
                while (rows.next()) {
                    String type = rows.getString("backend_type");
                    open.add(new Sample.Session(
                            rows.getString("pid"),
                            who(rows, "client backend".equals(type) ? null : type),
                            instant(rows, "xact_start")));
                }
            }
            return new Sample.OfTimes(at, open, prepared(connection));
        });
    }

    /** The server's clock. */
    static Instant clock(PgConnection connection) throws SQLException {
        long micros = Session.number(
                connection, "SELECT (extract(epoch FROM pg_catalog.clock_timestamp()) * 1000000)::bigint");
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    private Sample numbers(ReadRequest request, Catalog.Table table) {
        Optional<CursorValue> highest = highest(request);
        return session.run(place, connection -> {
            List<Sample.Session> writers = new ArrayList<>();
            try (PreparedStatement statement = connection.prepareStatement(WRITERS)) {
                statement.setLong(1, table.oid());
                statement.setLong(2, table.oid());
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        writers.add(new Sample.Session(
                                rows.getString("virtualtransaction"), who(rows, null), instant(rows, "xact_start")));
                    }
                }
            }
            return new Sample.OfNumbers(highest, writers, prepared(connection));
        });
    }

    /**
     * The highest cursor there is now. The table is held meanwhile: a COPY that waits for somebody who writes the table anew
     * sees nothing of it, since its snapshot is older than its lock. A SELECT of no rows waits before either.
     */
    private Optional<CursorValue> highest(ReadRequest request) {
        session.begin(place, Session.Mode.LOOK);
        ReadRequest cursorAlone = new ReadRequest(request.entity(), List.of(), request.cursor());
        ReadPlan plan =
                session.run(place, connection -> ReadPlan.of(connection, session.failures(), place, cursorAlone));
        session.run(place, connection -> {
            Session.execute(connection, plan.select(Optional.empty()) + " LIMIT 0");
            return true;
        });
        CursorType type = plan.needCursor().cursor().type();
        CursorProbe probe = new CursorProbe(session, place, plan);
        probe.checkFit();
        Optional<CursorValue> highest = probe.highest(CursorRange.startingAt(type.least(), type.greatest()));
        session.rollback();
        return highest;
    }

    Sample.OfNumbers again(Sample.OfNumbers earlier) {
        return session.run(place, connection -> {
            List<String> open = new ArrayList<>();
            Array ids = connection.createArrayOf(
                    "text", earlier.writers().stream().map(Sample.Session::id).toArray());
            try (PreparedStatement statement = connection.prepareStatement(STILL_OPEN)) {
                statement.setArray(1, ids);
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        open.add(rows.getString(1));
                    }
                }
            }
            List<Sample.Session> writers = earlier.writers().stream()
                    .filter(writer -> open.contains(writer.id()))
                    .toList();
            return new Sample.OfNumbers(earlier.highest(), writers, prepared(connection));
        });
    }

    private static List<Sample.Session> prepared(PgConnection connection) throws SQLException {
        List<Sample.Session> prepared = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(PREPARED)) {
            while (rows.next()) {
                String gid = rows.getString("gid");
                prepared.add(new Sample.Session(
                        gid, "'" + gid + "' of " + rows.getString("owner"), instant(rows, "prepared")));
            }
        }
        return prepared;
    }

    private static String who(ResultSet rows, @Nullable String type) throws SQLException {
        List<String> told = new ArrayList<>();
        for (String column : List.of("usename", "application_name", "state")) {
            String value = rows.getString(column);
            if (value != null && !value.isBlank()) {
                told.add(value);
            }
        }
        if (type != null) {
            told.add(type);
        }
        return "pid " + rows.getString("pid") + (told.isEmpty() ? "" : " (" + String.join(", ", told) + ")");
    }

    private static @Nullable Instant instant(ResultSet rows, String column) throws SQLException {
        OffsetDateTime value = rows.getObject(column, OffsetDateTime.class);
        return value == null ? null : value.toInstant();
    }
}
