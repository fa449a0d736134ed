package dev.weir.connector.sqlite;

import dev.weir.connector.Entity;
import dev.weir.connector.TableName;
import dev.weir.connector.jdbc.NearNames;
import dev.weir.fault.RunException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Reads the schema of a file. SQLite takes names that differ in case for the same; weir does not. */
final class Catalog {

    private static final String SCHEMA = "main";
    private static final String COLUMNS_OF_QUERY = "_weir_columns";

    /** Columns of this kind are computed; 1 marks a virtual table's hidden ones. */
    private static final int HIDDEN = 1;

    private Catalog() {}

    /**
     * A table or view.
     *
     * @param type {@code table}, {@code view}, {@code virtual}
     * @param rowid what its rows are numbered by, in SQL; empty: nothing
     */
    record Table(TableName name, String type, Optional<String> rowid, List<Column> columns) {

        List<String> primaryKey() {
            return columns.stream()
                    .filter(column -> column.keyPlace() > 0)
                    .sorted(Comparator.comparingInt(Column::keyPlace))
                    .map(Column::name)
                    .toList();
        }

        /** The column that is the rowid itself, which numbers a row where it is given NULL. */
        Optional<String> rowidColumn() {
            return Optional.of(primaryKey())
                    .filter(key -> rowid.isPresent() && key.size() == 1)
                    .map(key -> key.get(0))
                    .filter(name -> columns.stream()
                            .anyMatch(column -> column.name().equals(name)
                                    && column.type().written().strip().equalsIgnoreCase("INTEGER")));
        }
    }

    /**
     * One column.
     *
     * @param keyPlace its place in the primary key, from 1; 0: it is not in it
     */
    record Column(
            String name, DeclaredType type, boolean notNull, boolean defaulted, int keyPlace, boolean generated) {}

    static Optional<Table> find(Connection connection, TableName name) throws SQLException {
        if (!isHere(name)) {
            return Optional.empty();
        }
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT name, type, wr FROM pragma_table_list(?) WHERE schema = 'main'")) {
            statement.setString(1, name.table());
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    if (result.getString(1).equals(name.table())) {
                        return Optional.of(table(connection, name, result.getString(2), result.getBoolean(3)));
                    }
                }
                return Optional.empty();
            }
        }
    }

    /** A table whose name differs in case only, which makes it the same to SQLite. */
    static Optional<String> otherCase(Connection connection, TableName name) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT name FROM pragma_table_list(?) WHERE schema = 'main'")) {
            statement.setString(1, name.table());
            try (ResultSet result = statement.executeQuery()) {
                return result.next() ? Optional.of(result.getString(1)) : Optional.empty();
            }
        }
    }

    /** Whether the name is of the file itself, and not of another schema. */
    static boolean isHere(TableName name) {
        List<String> parts = name.parts();
        return parts.size() == 1 || parts.size() == 2 && parts.get(0).equals(SCHEMA);
    }

    private static Table table(Connection connection, TableName name, String type, boolean withoutRowid)
            throws SQLException {
        List<Column> columns = columns(connection, SCHEMA, name.table());
        boolean numbered = type.equals("table") && !withoutRowid;
        return new Table(name, type, numbered ? rowid(columns) : Optional.empty(), columns);
    }

    private static Optional<String> rowid(List<Column> columns) {
        return Stream.of("rowid", "_rowid_", "oid")
                .filter(alias ->
                        columns.stream().noneMatch(column -> column.name().equalsIgnoreCase(alias)))
                .findFirst();
    }

    private static List<Column> columns(Connection connection, String schema, String table) throws SQLException {
        List<Column> columns = new ArrayList<>();
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT name, type, \"notnull\", dflt_value IS NOT"
                        + " NULL, pk, hidden FROM pragma_table_xinfo(?, ?) ORDER BY cid")) {
            statement.setString(1, table);
            statement.setString(2, schema);
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    int hidden = result.getInt(6);
                    if (hidden != HIDDEN) {
                        columns.add(new Column(
                                result.getString(1),
                                new DeclaredType(result.getString(2) == null ? "" : result.getString(2)),
                                result.getBoolean(3),
                                result.getBoolean(4),
                                result.getInt(5),
                                hidden > HIDDEN));
                    }
                }
            }
        }
        return List.copyOf(columns);
    }

    /** The columns of a query, which are known once a view is made of it; it goes with the transaction. */
    static List<Column> columns(Connection connection, Entity.Query query) throws SQLException {
        Session.execute(connection, "DROP VIEW IF EXISTS temp." + COLUMNS_OF_QUERY);
        Session.execute(
                connection, "CREATE TEMP VIEW " + COLUMNS_OF_QUERY + " AS SELECT * FROM " + derived(query.sql()));
        return columns(connection, "temp", COLUMNS_OF_QUERY);
    }

    /** A query as it stands behind FROM, on lines of its own, so that a comment at its end ends there. */
    static String derived(String sql) {
        String text = sql.strip();
        return "(\n" + (text.endsWith(";") ? text.substring(0, text.length() - 1) : text) + "\n) AS weir_query";
    }

    /** The column sets that a unique index, usable for ON CONFLICT, holds apart byte by byte. */
    static Set<Set<String>> uniqueKeys(Connection connection, Table table) throws SQLException {
        Set<Set<String>> keys = new HashSet<>();
        try (PreparedStatement statement = connection.prepareStatement("SELECT l.name,"
                + " group_concat(hex(x.name), ','), max(x.name IS NULL OR x.coll <> 'BINARY')"
                + " FROM pragma_index_list(?, 'main') AS l, pragma_index_xinfo(l.name, 'main') AS x"
                + " WHERE l.\"unique\" AND NOT l.partial AND x.key GROUP BY l.name")) {
            statement.setString(1, table.name().table());
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    if (!result.getBoolean(3)) {
                        keys.add(decoded(result.getString(2)));
                    }
                }
            }
        }
        // The one primary key that has no index.
        table.rowidColumn().map(Set::of).ifPresent(keys::add);
        return keys;
    }

    /** Whether a trigger of the table may say {@code RAISE(IGNORE)}. */
    static boolean dropsRows(Connection connection, TableName table) throws SQLException {
        return Session.number(
                        connection,
                        "SELECT count(*) FROM main.sqlite_schema WHERE type = 'trigger' AND sql LIKE '%ignore%'"
                                + " AND tbl_name = " + Sql.literal(table.table()) + " COLLATE NOCASE")
                > 0;
    }

    private static Set<String> decoded(String hexNames) {
        Set<String> names = new HashSet<>();
        for (String hex : hexNames.split(",")) {
            names.add(new String(HexFormat.of().parseHex(hex), StandardCharsets.UTF_8));
        }
        return names;
    }

    /** The failure that there is no such table, with those that may have been meant. */
    static RunException missing(Connection connection, Failures failures, String place, TableName name)
            throws SQLException {
        List<TableName> tables = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(
                        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow'"
                                + " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name");
                ResultSet result = statement.executeQuery()) {
            while (result.next()) {
                tables.add(new TableName(List.of(result.getString(1))));
            }
        }
        List<String> near = NearNames.of(name, tables);
        String remedy = tables.isEmpty()
                ? "the file holds no table yet"
                : near.isEmpty()
                        ? "the file holds "
                                + String.join(
                                        ", ",
                                        tables.stream()
                                                .limit(20)
                                                .map(TableName::toString)
                                                .toList())
                        : "did you mean " + String.join(", ", near) + "? Names are case-sensitive here";
        return failures.of(place, "there is no table " + name, remedy);
    }
}
