package dev.weir.engine;

import static dev.weir.connector.DuckSession.quoted;

import dev.weir.connector.Column;
import dev.weir.connector.Staged;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/**
 * Sees to it that rows hold each merge key once, before any sink is touched.
 *
 * <p>One aggregate where there is nothing to do. Source of the rule: contract, section 2.2.
 */
final class KeyCheck {

    private final Statements statements;
    private final Staging staging;

    KeyCheck(Statements statements, Staging staging) {
        this.statements = statements;
        this.staging = staging;
    }

    Keyed check(
            Connection connection,
            String place,
            String id,
            Staged staged,
            List<String> keys,
            Optional<String> orderBy) {
        try {
            if (areUnique(connection, staged.relation(), staged.rows(), keys)) {
                return new Keyed(staged, 0, 0);
            }
            refuseNulls(connection, place, staged, keys);
            long[] duplicates = duplicates(connection, staged.relation(), keys);
            Staged unique = staging.run(connection, id, unique(staged, keys, orderBy));
            if (duplicates(connection, unique.relation(), keys)[0] > 0) {
                throw undecided(connection, place, unique, keys, orderBy);
            }
            return new Keyed(unique, duplicates[0], duplicates[1]);
        } catch (SQLException e) {
            throw DuckErrors.ofPipeline(place, e);
        }
    }

    /** Of some lists of columns, those in which each row has other values and none is NULL. */
    Set<List<String>> unique(Connection connection, StagedSource staged, Set<List<String>> lists) {
        return lists.stream()
                .filter(columns -> areFoundUnique(connection, staged, columns))
                .collect(Collectors.toSet());
    }

    /** What cannot be compared now is not known: who needs it looks again, and meets the failure where it belongs. */
    private boolean areFoundUnique(Connection connection, StagedSource staged, List<String> columns) {
        try {
            return areUnique(connection, staged.relation(), staged.rows(), columns);
        } catch (SQLException e) {
            return false;
        }
    }

    /** Whether each key comes once and is never NULL, by one look at the keys. */
    private boolean areUnique(Connection connection, String relation, long rows, List<String> keys)
            throws SQLException {
        String notNull = keys.stream().map(key -> quoted(key) + " IS NOT NULL").collect(Collectors.joining(" AND "));
        return statements.use(connection, statement -> {
            try (ResultSet result = statement.executeQuery("SELECT count(*) FROM (SELECT DISTINCT " + list(keys)
                    + " FROM " + relation + " WHERE " + notNull + ")")) {
                result.next();
                return result.getLong(1) == rows;
            }
        });
    }

    /** @throws RunException {@code WR0521} for a NULL */
    private void refuseNulls(Connection connection, String place, Staged staged, List<String> keys)
            throws SQLException {
        String counts = keys.stream().map(key -> "count(" + quoted(key) + ")").collect(Collectors.joining(", "));
        long[] nulls = statements.use(connection, statement -> {
            try (ResultSet result =
                    statement.executeQuery("SELECT count(*), " + counts + " FROM " + staged.relation())) {
                result.next();
                long[] found = new long[keys.size()];
                for (int i = 0; i < found.length; i++) {
                    found[i] = result.getLong(1) - result.getLong(i + 2);
                }
                return found;
            }
        });
        for (int i = 0; i < nulls.length; i++) {
            if (nulls[i] > 0) {
                throw new RunException(
                        Code.NULL_KEY,
                        place,
                        "NULL in key column " + keys.get(i) + " (" + nulls[i] + (nulls[i] == 1 ? " row)" : " rows)"),
                        "choose keys that are never NULL, or replace it in the SELECT: coalesce(" + quoted(keys.get(i))
                                + ", …)");
            }
        }
    }

    /** How many keys come more than once, and how many rows are too many. */
    private long[] duplicates(Connection connection, String relation, List<String> keys) throws SQLException {
        return statements.use(connection, statement -> {
            try (ResultSet result = statement.executeQuery("SELECT count(*), coalesce(sum(n - 1), 0) FROM (SELECT"
                    + " count(*) AS n FROM " + relation + " GROUP BY " + list(keys) + " HAVING count(*) > 1)")) {
                result.next();
                return new long[] {result.getLong(1), result.getLong(2)};
            }
        });
    }

    /** Of each key the rows that stand highest, a NULL lowest; equal rows once. */
    private static String unique(Staged staged, List<String> keys, Optional<String> orderBy) {
        String columns = list(staged.columns().stream().map(Column::name).toList());
        String highest = orderBy.map(order -> " QUALIFY rank() OVER (PARTITION BY " + list(keys) + " ORDER BY "
                        + quoted(order) + " DESC NULLS LAST) = 1")
                .orElse("");
        return "SELECT DISTINCT " + columns + " FROM (SELECT * FROM " + staged.relation() + highest + ")";
    }

    private RunException undecided(
            Connection connection, String place, Staged unique, List<String> keys, Optional<String> orderBy)
            throws SQLException {
        return statements.use(connection, statement -> {
            try (ResultSet result = statement.executeQuery("SELECT count(*) OVER (), count(*), " + texts(keys)
                    + " FROM " + unique.relation() + " GROUP BY " + list(keys) + " HAVING count(*) > 1 ORDER BY "
                    + list(keys) + " LIMIT 1")) {
                result.next();
                StringJoiner key = new StringJoiner(", ");
                for (int i = 0; i < keys.size(); i++) {
                    key.add(keys.get(i) + " = " + result.getString(i + 3));
                }
                long others = result.getLong(1) - 1;
                return new RunException(
                        Code.DUPLICATE_KEYS,
                        place,
                        result.getLong(2) + " different rows of one slice have the key " + key
                                + orderBy.map(order -> " and the same " + order).orElse("")
                                + (others == 0 ? "" : ", and so have " + others + " more keys"),
                        "name a column that decides between them with order_by, or give each key once in the SELECT");
            }
        });
    }

    private static String list(List<String> names) {
        return names.stream().map(name -> quoted(name)).collect(Collectors.joining(", "));
    }

    private static String texts(List<String> keys) {
        return keys.stream().map(key -> "CAST(" + quoted(key) + " AS VARCHAR)").collect(Collectors.joining(", "));
    }
}
