package dev.weir.connector.postgres;

import dev.weir.connector.ConnectionSettings;
import dev.weir.fault.UsageException;
import dev.weir.slicing.CursorRange;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.postgresql.jdbc.PgConnection;

/**
 * Over how many connections a large slice is read at once.
 *
 * @param most at most so many, 1 to 16
 * @param rowsEach how many rows, by the server's own estimate, a connection must be worth at least
 */
record Streams(int most, long rowsEach) {

    static final Streams ONE = new Streams(1, Long.MAX_VALUE);

    private static final int LIMIT = 16;
    private static final long ROWS_EACH = 200_000;

    private static final Pattern ESTIMATE = Pattern.compile(" rows=(\\d+) ");

    /**
     * Whether the table's rows are the server's own, which all transactions of one snapshot see alike, and the server lets
     * this role share a snapshot. What a view comes to may differ from one transaction to another, and a foreign table has
     * another snapshot in each.
     */
    private static final String SHAREABLE = "WITH RECURSIVE below AS (SELECT ?::pg_catalog.regclass::oid AS oid UNION"
            + " SELECT i.inhrelid FROM pg_catalog.pg_inherits i JOIN below ON i.inhparent = below.oid)"
            + " SELECT pg_catalog.bool_and(c.relkind IN ('r', 'p', 'm')) AND EXISTS (SELECT 1 FROM pg_catalog.pg_proc p"
            + " WHERE p.oid = pg_catalog.to_regproc('pg_catalog.pg_export_snapshot')"
            + " AND pg_catalog.has_function_privilege(p.oid, 'EXECUTE'))"
            + " FROM below JOIN pg_catalog.pg_class c ON c.oid = below.oid";

    /** @throws UsageException when {@code streams} is no number from 1 to 16 */
    static Streams of(ConnectionSettings settings) {
        String text = settings.option("streams").orElse("1");
        if (!text.matches("[0-9]{1,2}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > LIMIT) {
            throw Address.wrong(
                    settings.name(),
                    "streams '" + text + "' is no number of streams",
                    "write a number from 1 to " + LIMIT);
        }
        return new Streams(Integer.parseInt(text), ROWS_EACH);
    }

    /** How many the rows of a range are worth, at least 1. */
    int worth(PgConnection connection, ReadPlan plan, CursorRange range) throws SQLException {
        if (most == 1) {
            return 1;
        }
        long estimate = estimate(connection, "EXPLAIN " + plan.select(Optional.of(range)));
        long worth = Math.max(1, Math.min(most, estimate / rowsEach));
        return worth > 1 && isShareable(connection, plan.from()) ? (int) worth : 1;
    }

    private static long estimate(PgConnection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet lines = statement.executeQuery(sql)) {
            lines.next();
            Matcher rows = ESTIMATE.matcher(lines.getString(1));
            return rows.find() ? Long.parseLong(rows.group(1)) : 0;
        }
    }

    private static boolean isShareable(PgConnection connection, String table) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SHAREABLE)) {
            statement.setString(1, table);
            try (ResultSet result = statement.executeQuery()) {
                return result.next() && result.getBoolean(1);
            }
        }
    }
}
