package dev.weir.connector.postgres;

import dev.weir.connector.TableName;
import dev.weir.connector.jdbc.NearNames;
import dev.weir.fault.RunException;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.postgresql.jdbc.PgConnection;

/** What the server's catalog tells of tables and columns. */
final class Catalog {

    /**
     * A table that exists.
     *
     * @param oid its number
     * @param name schema and table, exactly
     * @param kind {@code pg_class.relkind}
     */
    record Table(long oid, TableName name, char kind) {

        String schema() {
            return name.parts().get(0);
        }

        boolean isOrdinary() {
            return kind == 'r' || kind == 'p';
        }
    }

    /**
     * One column of a table or query.
     *
     * @param number its number in the table; 0 for a query
     * @param notNull whether the table refuses NULL
     * @param generated computed by the table, so that nothing can be written to it
     * @param alwaysIdentity an identity column that takes values only where they override the system's
     * @param defaulted whether the table fills it in when nothing is given
     */
    record Column(
            int number,
            String name,
            PgType type,
            boolean notNull,
            boolean generated,
            boolean alwaysIdentity,
            boolean defaulted) {}

    private static final Set<Character> READABLE = Set.of('r', 'p', 'v', 'm', 'f');

    private static final String FIND_TABLE = "SELECT c.oid, n.nspname, c.relname, c.relkind::text"
            + " FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
            + " WHERE c.oid = pg_catalog.to_regclass(?)";

    /** Domains are followed down to the type they are made of; a vector is no array, though it has elements too. */
    private static final String TYPES = "WITH RECURSIVE"
            + " wanted AS (SELECT * FROM unnest(?::bigint[], ?::int[]) WITH ORDINALITY AS w(oid, modifier, place)),"
            + " chain AS (SELECT place, oid::oid AS oid, modifier FROM wanted UNION ALL"
            + " SELECT chain.place, t.typbasetype, t.typtypmod FROM chain JOIN pg_catalog.pg_type t ON t.oid = chain.oid"
            + " WHERE t.typtype = 'd')"
            + " SELECT chain.oid::bigint, chain.modifier, t.typtype::text, t.typname,"
            + " pg_catalog.format_type(wanted.oid::oid, wanted.modifier), coalesce(e.oid, 0)::bigint"
            + " FROM chain JOIN wanted USING (place) JOIN pg_catalog.pg_type t ON t.oid = chain.oid"
            + " LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem AND e.typarray = t.oid"
            + " WHERE t.typtype <> 'd' ORDER BY place";

    /** Types below it have their numbers from Postgres itself, the same everywhere, and nobody alters them. */
    private static final long FIRST_OF_OTHERS = 10_000;

    /** A type's number, and what a column says besides: a length, digits. */
    private record Modified(long oid, int modifier) {}

    /** Those of Postgres itself that were asked for once: every slice would ask for them again. */
    private static final Map<Modified, PgType> OWN_TYPES = new ConcurrentHashMap<>();

    private Catalog() {}

    /** The table of that name, in the schemas the role looks in when none is given; empty: there is none. */
    static Optional<Table> find(PgConnection connection, TableName table) throws SQLException {
        if (table.parts().size() == 3 && !table.parts().get(0).equals(connection.getCatalog())) {
            return Optional.empty();
        }
        if (table.parts().stream().anyMatch(Sql::isTooLong)) {
            return Optional.empty();
        }
        try (PreparedStatement statement = connection.prepareStatement(FIND_TABLE)) {
            statement.setString(1, Sql.quote(table));
            try (ResultSet result = statement.executeQuery()) {
                if (!result.next() || !READABLE.contains(result.getString(4).charAt(0))) {
                    return Optional.empty();
                }
                TableName name = new TableName(List.of(result.getString(2), result.getString(3)));
                return Optional.of(
                        new Table(result.getLong(1), name, result.getString(4).charAt(0)));
            }
        }
    }

    /** The table's columns in its own order. */
    static List<Column> columns(PgConnection connection, Table table) throws SQLException {
        boolean generates = connection.haveMinimumServerVersion(120_000);
        String sql = "SELECT a.attnum, a.attname, a.atttypid::bigint, a.atttypmod, a.attnotnull, "
                + (generates ? "a.attgenerated <> ''" : "false")
                + ", a.attidentity::text, a.atthasdef FROM pg_catalog.pg_attribute a"
                + " WHERE a.attrelid = ?::oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum";
        List<Column> untyped = new ArrayList<>();
        List<Long> oids = new ArrayList<>();
        List<Integer> modifiers = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, table.oid());
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    oids.add(result.getLong(3));
                    modifiers.add(result.getInt(4));
                    String identity = result.getString(7);
                    untyped.add(new Column(
                            result.getInt(1),
                            result.getString(2),
                            PgType.text(),
                            result.getBoolean(5),
                            result.getBoolean(6),
                            "a".equals(identity),
                            result.getBoolean(8) || !identity.isEmpty()));
                }
            }
        }
        List<PgType> types = types(connection, oids, modifiers);
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < untyped.size(); i++) {
            Column column = untyped.get(i);
            columns.add(new Column(
                    column.number,
                    column.name,
                    types.get(i),
                    column.notNull,
                    column.generated,
                    column.alwaysIdentity,
                    column.defaulted));
        }
        return columns;
    }

    /** The columns a query yields; it is planned, not run. */
    static List<Column> columns(PgConnection connection, String query) throws SQLException {
        List<String> names = new ArrayList<>();
        List<Integer> modifiers = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement("SELECT * FROM " + derived(query) + " LIMIT 0");
                ResultSet result = statement.executeQuery()) {
            ResultSetMetaData described = result.getMetaData();
            for (int i = 1; i <= described.getColumnCount(); i++) {
                names.add(described.getColumnLabel(i));
                modifiers.add(modifier(described, i));
            }
        }
        String probes = names.stream()
                .map(name -> "pg_catalog.pg_typeof(weir_one." + Sql.quote(name) + ")::oid::bigint")
                .collect(Collectors.joining(", "));
        List<Long> oids = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement("SELECT " + probes
                        + " FROM (SELECT 1) one LEFT JOIN (SELECT * FROM " + derived(query)
                        + " LIMIT 0) weir_one ON true");
                ResultSet result = statement.executeQuery()) {
            result.next();
            for (int i = 1; i <= names.size(); i++) {
                oids.add(result.getLong(i));
            }
        }
        List<PgType> types = types(connection, oids, modifiers);
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            columns.add(new Column(0, names.get(i), types.get(i), false, false, false, false));
        }
        return columns;
    }

    /** The query as a derived table; a trailing comment cannot swallow what follows. */
    static String derived(String query) {
        String sql = query.strip();
        while (sql.endsWith(";")) {
            sql = sql.substring(0, sql.length() - 1).stripTrailing();
        }
        return "(" + sql + "\n) AS weir_query";
    }

    /** The driver gives digits, not the modifier they came from. */
    private static int modifier(ResultSetMetaData described, int column) throws SQLException {
        return switch (described.getColumnTypeName(column)) {
            case "numeric" ->
                described.getPrecision(column) == 0
                        ? -1
                        : (described.getPrecision(column) << 16 | described.getScale(column) & 0x7ff) + 4;
            case "timestamp", "timestamptz", "time" ->
                described.getScale(column) == 6 ? -1 : described.getScale(column);
            default -> -1;
        };
    }

    private static List<PgType> types(PgConnection connection, List<Long> oids, List<Integer> modifiers)
            throws SQLException {
        List<Modified> wanted = new ArrayList<>();
        for (int i = 0; i < oids.size(); i++) {
            wanted.add(new Modified(oids.get(i), modifiers.get(i)));
        }
        Map<Modified, PgType> types = new HashMap<>(OWN_TYPES);
        List<Modified> unknown = wanted.stream()
                .filter(type -> !types.containsKey(type))
                .distinct()
                .toList();
        List<PgType> told = asked(connection, unknown);
        for (int i = 0; i < unknown.size(); i++) {
            Modified type = unknown.get(i);
            types.put(type, told.get(i));
            if (type.oid() < FIRST_OF_OTHERS) {
                OWN_TYPES.put(type, told.get(i));
            }
        }
        return wanted.stream().map(types::get).toList();
    }

    private static List<PgType> asked(PgConnection connection, List<Modified> wanted) throws SQLException {
        if (wanted.isEmpty()) {
            return List.of();
        }
        List<PgType> types = new ArrayList<>();
        List<Long> elements = new ArrayList<>();
        Array oidArray = connection.createArrayOf(
                "bigint", wanted.stream().map(Modified::oid).toArray());
        Array modifierArray = connection.createArrayOf(
                "int", wanted.stream().map(Modified::modifier).toArray());
        try (PreparedStatement statement = connection.prepareStatement(TYPES)) {
            statement.setArray(1, oidArray);
            statement.setArray(2, modifierArray);
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    types.add(PgType.of(
                            result.getLong(1),
                            result.getInt(2),
                            result.getString(3),
                            result.getString(4),
                            result.getString(5)));
                    elements.add(result.getLong(6));
                }
            }
        }
        if (types.size() != wanted.size()) {
            throw new SQLException("a type of its columns has just been dropped", "42704");
        }
        return withElements(connection, types, elements);
    }

    /** @param elements the number of the type each is an array of; 0: it is none */
    private static List<PgType> withElements(PgConnection connection, List<PgType> types, List<Long> elements)
            throws SQLException {
        List<Integer> arrays = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            if (elements.get(i) != 0) {
                arrays.add(i);
            }
        }
        List<PgType> inner = types(
                connection,
                arrays.stream().map(elements::get).toList(),
                arrays.stream().map(i -> types.get(i).modifier()).toList());
        List<PgType> complete = new ArrayList<>(types);
        for (int i = 0; i < inner.size(); i++) {
            int place = arrays.get(i);
            PgType array = types.get(place);
            PgType.Element element = new PgType.Element(elements.get(place), inner.get(i));
            complete.set(place, PgType.array(element, array.modifier(), array.written()));
        }
        return complete;
    }

    /** A failure that names the tables whose names are near the missing one. */
    static RunException missing(PgConnection connection, Failures failures, String place, TableName table)
            throws SQLException {
        List<String> near = NearNames.of(table, tables(connection));
        String remedy = near.isEmpty()
                ? "check its name, and that " + failures.user() + " may use its schema"
                : "did you mean " + String.join(", ", near) + "? names are case-sensitive";
        return failures.of(place, "there is no table " + table + " in " + connection.getCatalog(), remedy);
    }

    private static List<TableName> tables(PgConnection connection) throws SQLException {
        String sql = "SELECT n.nspname, c.relname FROM pg_catalog.pg_class c"
                + " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
                + " WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname !~ '^(pg_|information_schema$)'"
                + " ORDER BY 1, 2 LIMIT 10000";
        List<TableName> tables = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet result = statement.executeQuery()) {
            while (result.next()) {
                tables.add(new TableName(List.of(result.getString(1), result.getString(2))));
            }
        }
        return tables;
    }
}
