package dev.weir.connector.postgres;

import dev.weir.connector.SinkWrite;
import dev.weir.connector.postgres.PgType.Family;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The statements that merge the rows of a TEMP table into a table.
 *
 * <p>A stored row is newer when its order column is greater, a NULL being lower than every value; text is compared by its
 * bytes, as DuckDB compares it.
 */
final class MergeSql {

    private final Target target;
    private final String temp;
    private final String staged;
    private final List<String> columns;
    private final SinkWrite.Merge merge;

    /**
     * @param temp the TEMP table
     * @param staged its rows in SQL, with a {@code ctid}; an alias follows
     */
    MergeSql(Target target, String temp, String staged, List<String> columns, SinkWrite.Merge merge) {
        this.target = target;
        this.temp = temp;
        this.staged = staged;
        this.columns = columns;
        this.merge = merge;
    }

    /** Counts the rows, so that the server plans its joins by them. */
    String analyze() {
        return "ANALYZE " + temp;
    }

    /** Whether the server itself can find the conflicts. */
    boolean hasUniqueIndex() {
        return target.uniqueKeys().contains(new HashSet<>(merge.keys()));
    }

    /** Inserts or replaces each row whose stored twin is not newer. */
    String upsert() {
        String set = columns.stream()
                .filter(this::isSettable)
                .map(column -> Sql.quote(column) + " = excluded." + Sql.quote(column))
                .collect(Collectors.joining(", "));
        String conflict = set.isEmpty()
                ? " DO NOTHING"
                : " DO UPDATE SET " + set
                        + newer("excluded")
                                .map(" WHERE ("::concat)
                                .map(w -> w + ") IS NOT TRUE")
                                .orElse("");
        return insert() + " SELECT " + Sql.quote(columns) + " FROM " + staged + " s ON CONFLICT ("
                + Sql.quote(merge.keys()) + ")" + conflict;
    }

    /** Keeps others from inserting the same keys meanwhile, where no index does. */
    String lock() {
        return "LOCK TABLE " + target.sql() + " IN SHARE ROW EXCLUSIVE MODE";
    }

    /** How many staged rows have a newer stored twin. */
    String countNewer() {
        return newer("s")
                .map(newer -> "SELECT count(*) FROM " + staged + " s WHERE EXISTS (SELECT 1 FROM " + target.sql()
                        + " t WHERE " + sameKey() + " AND " + newer + ")")
                .orElse("SELECT 0");
    }

    /** How many rows a table still holds, up to one; none where no trigger and no rule of it could keep them. */
    static String countKept(Target target, String where) {
        String table = "'" + target.sql().replace("'", "''") + "'::regclass";
        return "SELECT CASE WHEN EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE NOT tgisinternal AND (tgrelid = "
                + table + " OR tgrelid IN (SELECT relid FROM pg_catalog.pg_partition_tree(" + table + "))))"
                + " OR EXISTS (SELECT 1 FROM pg_catalog.pg_rewrite WHERE ev_class = " + table
                + ") THEN (SELECT count(*) FROM (SELECT 1 FROM " + target.sql() + " t WHERE " + where
                + " LIMIT 1) kept) ELSE 0 END";
    }

    /** Deletes the stored twins that are not newer. */
    String delete() {
        return "DELETE FROM " + target.sql() + " t USING " + staged + " s WHERE " + notNewer();
    }

    /** How many stored twins {@link #delete} has left, as {@link #countKept(Target, String)}. */
    String countKept() {
        return countKept(target, "EXISTS (SELECT 1 FROM " + staged + " s WHERE " + notNewer() + ")");
    }

    private String notNewer() {
        return sameKey()
                + newer("s").map(newer -> " AND (" + newer + ") IS NOT TRUE").orElse("");
    }

    /** How many staged rows have a stored twin. */
    String countKnown() {
        return "SELECT count(*) FROM " + staged + " s WHERE EXISTS (SELECT 1 FROM " + target.sql() + " t WHERE "
                + sameKey() + ")";
    }

    /** Replaces the stored twins that are not newer, and counts the staged rows that have replaced any. */
    String update() {
        String set = columns.stream()
                .filter(this::isSettable)
                .map(column -> Sql.quote(column) + " = s." + Sql.quote(column))
                .collect(Collectors.joining(", "));
        return "WITH replaced AS (UPDATE " + target.sql() + " t SET " + set + " FROM " + staged + " s WHERE "
                + notNewer()
                + " RETURNING s.ctid AS staged_row) SELECT count(DISTINCT staged_row) FROM replaced";
    }

    /** Whether an update has anything to set. */
    boolean updates() {
        return columns.stream().anyMatch(this::isSettable);
    }

    String insertMissing() {
        String list = columns.stream().map(column -> "s." + Sql.quote(column)).collect(Collectors.joining(", "));
        return insert() + " SELECT " + list + " FROM " + staged + " s WHERE NOT EXISTS (SELECT 1 FROM " + target.sql()
                + " t WHERE " + sameKey() + ")";
    }

    private String insert() {
        return insert(target, columns);
    }

    private static String insert(Target target, List<String> columns) {
        boolean overrides = target.columns().stream().anyMatch(Catalog.Column::alwaysIdentity);
        return "INSERT INTO " + target.sql() + " AS t (" + Sql.quote(columns) + ")"
                + (overrides ? " OVERRIDING SYSTEM VALUE" : "");
    }

    /** Inserts every staged row, merging none. */
    static String insertAll(Target target, List<String> columns, String staged) {
        return insert(target, columns) + " SELECT " + Sql.quote(columns) + " FROM " + staged + " s";
    }

    /** Counts, up to one, the keys that several staged rows have as the server compares them. */
    String countDoubled() {
        return "SELECT count(*) FROM (SELECT 1 FROM " + staged + " s GROUP BY " + Sql.quote(merge.keys())
                + " HAVING count(*) > 1 LIMIT 1) doubled";
    }

    private String sameKey() {
        return merge.keys().stream()
                .map(key -> "t." + Sql.quote(key) + " = s." + Sql.quote(key))
                .collect(Collectors.joining(" AND "));
    }

    /** Keys are set too: equal is not the same, as 10.5 and 10.50 show. */
    private boolean isSettable(String column) {
        return target.column(column).filter(Catalog.Column::alwaysIdentity).isEmpty();
    }

    private Optional<String> newer(String incoming) {
        return merge.orderBy().map(column -> {
            boolean text = target.column(column)
                    .filter(stored -> stored.type().family() == Family.TEXT
                            || stored.type().family() == Family.CHAR)
                    .isPresent();
            String collation = text ? " COLLATE \"C\"" : "";
            String stored = "t." + Sql.quote(column);
            String staging = incoming + "." + Sql.quote(column);
            return "(" + stored + collation + " > " + staging + collation + " OR " + staging + " IS NULL AND " + stored
                    + " IS NOT NULL)";
        });
    }
}
