package dev.weir.connector.postgres;

import dev.weir.connector.Column;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.TableName;
import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.jdbc.OwnTables;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.postgresql.jdbc.PgConnection;

/**
 * A table that is written to, as the catalog tells it.
 *
 * @param table which one
 * @param columns its columns in its own order
 * @param uniqueKeys the column sets that a unique index, usable for ON CONFLICT, holds apart
 */
record Target(Catalog.Table table, List<Catalog.Column> columns, Set<Set<String>> uniqueKeys) {

    private static final String UNIQUE = "SELECT (i.indkey::int2[])[0:i.indnkeyatts - 1]"
            + " FROM pg_catalog.pg_index i WHERE i.indrelid = ?::oid AND i.indisunique AND i.indisvalid"
            + " AND i.indimmediate AND i.indpred IS NULL AND i.indexprs IS NULL";

    static Optional<Target> find(PgConnection connection, TableName name) throws SQLException {
        Optional<Catalog.Table> table = Catalog.find(connection, name);
        if (table.isEmpty()) {
            return Optional.empty();
        }
        List<Catalog.Column> columns = Catalog.columns(connection, table.get());
        return Optional.of(new Target(table.get(), columns, uniqueKeys(connection, table.get(), columns)));
    }

    private static Set<Set<String>> uniqueKeys(
            PgConnection connection, Catalog.Table table, List<Catalog.Column> columns) throws SQLException {
        Map<Integer, String> names =
                columns.stream().collect(Collectors.toMap(Catalog.Column::number, Catalog.Column::name));
        Set<Set<String>> keys = new HashSet<>();
        try (PreparedStatement statement = connection.prepareStatement(UNIQUE)) {
            statement.setLong(1, table.oid());
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    keys.add(Arrays.stream((Object[]) result.getArray(1).getArray())
                            .map(number -> names.get(((Number) number).intValue()))
                            .collect(Collectors.toSet()));
                }
            }
        }
        return keys;
    }

    Map<String, PgType> types() {
        Map<String, PgType> types = new LinkedHashMap<>();
        columns.forEach(column -> types.put(column.name(), column.type()));
        return types;
    }

    Optional<Catalog.Column> column(String name) {
        return columns.stream().filter(column -> column.name().equals(name)).findFirst();
    }

    /** The table in SQL. */
    String sql() {
        return Sql.quote(table.name());
    }

    /** Refuses what would lose something; see {@link dev.weir.connector.Sink#check}. */
    void check(String place, List<Column> produced, SinkWrite write) {
        OwnTables.kept(table.name().table()).ifPresent(kept -> {
            throw refused(place, table.name() + " is where weir keeps " + kept, "name another table");
        });
        if (!table.isOrdinary()) {
            throw refused(
                    place,
                    table.name() + " is no ordinary table",
                    "write to a table, not to a view or a foreign table");
        }
        for (Column column : produced) {
            check(place, column, write);
        }
        Set<String> names = produced.stream().map(Column::name).collect(Collectors.toSet());
        boolean keeps = write instanceof SinkWrite.Merge merge && merge.keepColumns();
        for (Catalog.Column column : columns) {
            if (names.contains(column.name()) || column.generated()) {
                continue;
            }
            if (!keeps) {
                throw refused(
                        place,
                        "the table has the column " + column.name() + ", which the pipeline does not produce",
                        write instanceof SinkWrite.Merge
                                ? "produce it, or write keep_columns: true in the sink to let it keep its values"
                                : "produce it, or drop it from the table");
            }
            if (column.notNull() && !column.defaulted()) {
                throw refused(
                        place,
                        "the column " + column.name()
                                + ", which the pipeline does not produce, takes no NULL and has no"
                                + " default, so no new row can be inserted",
                        "produce it, or give it a default");
            }
        }
    }

    private void check(String place, Column produced, SinkWrite write) {
        Catalog.Column column = column(produced.name())
                .orElseThrow(() -> refused(
                        place,
                        "the table has no column " + produced.name(),
                        "its columns are "
                                + columns.stream().map(Catalog.Column::name).collect(Collectors.joining(", "))
                                + "; names are case-sensitive"));
        if (column.generated()) {
            throw refused(
                    place,
                    "the column " + column.name() + " is computed by the table itself",
                    "leave it out of the pipeline");
        }
        if (column.alwaysIdentity()
                && write instanceof SinkWrite.Merge merge
                && !merge.keys().contains(column.name())) {
            throw refused(
                    place,
                    "the column " + column.name() + " is GENERATED ALWAYS AS IDENTITY, so a merge cannot set it",
                    "make it a key, leave it out with keep_columns: true, or make it GENERATED BY DEFAULT");
        }
        DuckType type = DuckType.named(produced.type());
        if (!SinkTypes.takes(column.type(), type)) {
            throw new RunException(
                    Code.LOSSY_SINK,
                    place,
                    "the pipeline's column " + produced.name() + " is " + produced.type() + " and the table's is "
                            + column.type().written() + ", which does not hold every such value",
                    "cast it in the pipeline, or alter the table's column");
        }
        if (write instanceof SinkWrite.Merge merge
                && merge.orderBy().filter(produced.name()::equals).isPresent()
                && !SinkTypes.ordersAlike(column.type(), type)) {
            throw refused(
                    place,
                    "order_by: " + column.name() + " is a " + produced.type() + " in the pipeline and a "
                            + column.type().written() + " in the table, which order their values differently",
                    "order by a number or a time");
        }
    }

    private static RunException refused(String place, String what, String remedy) {
        return new RunException(Code.SINK, place, what, remedy);
    }
}
