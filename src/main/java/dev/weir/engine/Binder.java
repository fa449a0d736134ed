package dev.weir.engine;

import static dev.weir.connector.DuckSession.quoted;

import dev.weir.connector.Column;
import dev.weir.fault.Code;
import dev.weir.fault.UsageException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** Parses and binds a pipeline's SELECT against empty tables, and leaves nothing behind. */
final class Binder {

    private static final String BOUND = "weir_bound";
    /** How DuckDB prints the type of a bare NULL. */
    private static final String UNTYPED = "\"NULL\"";

    private final Statements statements;
    private final Staging staging;

    Binder(Statements statements, Staging staging) {
        this.statements = statements;
        this.staging = staging;
    }

    List<Column> bind(Connection connection, String place, String select, Map<String, List<Column>> sources) {
        try {
            checkOneSelect(connection, place, select);
            SqlError.withPositions(connection, statements);
            statements.execute(connection, "BEGIN TRANSACTION");
            try {
                for (Map.Entry<String, List<Column>> source : sources.entrySet()) {
                    createEmpty(connection, source.getKey(), source.getValue());
                }
                return columns(connection, place, select);
            } finally {
                statements.execute(connection, "ROLLBACK");
            }
        } catch (SQLException e) {
            if (statements.isCancelled()) {
                throw DuckErrors.cancelled(place, e);
            }
            throw badSql(place, SqlError.of(e), select);
        }
    }

    /** Reads a statement, and binds nothing. */
    void parse(Connection connection, String place, String select) {
        try {
            checkOneSelect(connection, place, select);
        } catch (SQLException e) {
            throw badSql(place, SqlError.of(e), select);
        }
    }

    private void createEmpty(Connection connection, String id, List<Column> columns) throws SQLException {
        staging.remove(connection, id);
        statements.execute(
                connection,
                "CREATE TABLE " + Staging.relation(id) + " ("
                        + columns.stream()
                                .map(column -> quoted(column.name()) + " " + column.type())
                                .collect(Collectors.joining(", "))
                        + ")");
    }

    private List<Column> columns(Connection connection, String place, String select) throws SQLException {
        // Prepared as it stands first, so that the positions DuckDB names are those of the file.
        try (PreparedStatement prepared = connection.prepareStatement(select)) {
            checkNames(place, prepared, select);
        }
        statements.execute(connection, "CREATE VIEW " + Staging.relation(BOUND) + " AS\n" + select);
        List<Column> columns = staging.describe(connection, Staging.relation(BOUND));
        columns.forEach(column -> checkType(place, column));
        return columns;
    }

    private static void checkType(String place, Column column) {
        if (column.type().equals(UNTYPED) || column.type().startsWith(UNTYPED + "[")) {
            throw new UsageException(
                    Code.BAD_SQL,
                    place,
                    "the column " + column.name() + " is a NULL without a type",
                    "say which type it has, as in CAST(NULL AS VARCHAR) AS " + quoted(column.name()));
        }
    }

    private static void checkNames(String place, PreparedStatement prepared, String select) throws SQLException {
        Map<String, String> seen = new LinkedHashMap<>();
        for (int i = 1; i <= prepared.getMetaData().getColumnCount(); i++) {
            String name = prepared.getMetaData().getColumnName(i);
            String former = seen.put(name.toLowerCase(Locale.ROOT), name);
            if (former != null) {
                throw new UsageException(
                        Code.BAD_SQL,
                        place,
                        former.equals(name)
                                ? "the SELECT has two columns named " + name
                                : "the SELECT has the columns " + former + " and " + name
                                        + ", which DuckDB takes for one name",
                        "give one of them another name with AS");
            }
        }
    }

    private void checkOneSelect(Connection connection, String place, String select) throws SQLException {
        try (PreparedStatement serialize = connection.prepareStatement(
                "SELECT j ->> '$.error' = 'true', j ->> '$.error_message', TRY_CAST(j ->> '$.position' AS INTEGER),"
                        + " json_array_length(j -> '$.statements') FROM (SELECT json_serialize_sql(?) AS j)")) {
            serialize.setString(1, select);
            try (ResultSet result = serialize.executeQuery()) {
                result.next();
                if (result.getBoolean(1)) {
                    throw badSql(place, new SqlError(result.getString(2), position(result)), select);
                }
                if (result.getLong(4) != 1) {
                    throw new UsageException(
                            Code.BAD_SQL,
                            place,
                            "the pipeline holds " + result.getLong(4) + " statements",
                            "write one SELECT a pipeline");
                }
            }
        }
    }

    private static OptionalInt position(ResultSet result) throws SQLException {
        int position = result.getInt(3);
        return result.wasNull() ? OptionalInt.empty() : OptionalInt.of(position);
    }

    private static UsageException badSql(String file, SqlError error, String select) {
        String remedy = error.message().contains("Only SELECT statements")
                ? "write one SELECT; weir makes the tables and writes the sinks itself"
                : "correct the SELECT; it was read as DuckDB SQL, and nothing ran";
        return new UsageException(
                Code.BAD_SQL, error.place(file, select), error.message(), select.isBlank() ? "write a SELECT" : remedy);
    }
}
