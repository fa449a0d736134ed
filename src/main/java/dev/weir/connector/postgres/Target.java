package dev.weir.connector.postgres;

import dev.weir.connector.Column;
import dev.weir.connector.Fit;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.TableName;
import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.jdbc.TableFit;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.slicing.OnSchemaChange;
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

    /** How columns go into it; see {@link dev.weir.connector.Sink#fit}. */
    Fit fit(String place, List<Column> produced, SinkWrite write, OnSchemaChange policy) {
        Fit fit = fit(place).of(produced, write, policy);
        for (Column column : fit.written()) {
            refuseIdentity(place, column, write);
            refuseOtherOrder(place, column, write);
        }
        return fit;
    }

    /** See {@link TableFit#stillNarrow}. */
    List<Column> stillNarrow(String place, Fit fit) {
        return fit(place).stillNarrow(fit);
    }

    /** Refuses columns that rows are found by and that are not its own. */
    void check(String place, List<Column> found) {
        fit(place).check(found);
    }

    private TableFit fit(String place) {
        TableFit.refuseOwn(place, table.name().table());
        if (!table.isOrdinary()) {
            throw refused(
                    place,
                    table.name() + " is no ordinary table",
                    "write to a table, not to a view or a foreign table");
        }
        return new TableFit(place, columns.stream().map(Target::described).toList(), new Rules());
    }

    private static TableFit.TableColumn described(Catalog.Column column) {
        return new TableFit.TableColumn(
                column.name(),
                column.type().written(),
                Optional.of(column.type().natural().sql()),
                column.generated(),
                column.notNull() && !column.defaulted());
    }

    private void refuseIdentity(String place, Column produced, SinkWrite write) {
        boolean always =
                column(produced.name()).filter(Catalog.Column::alwaysIdentity).isPresent();
        if (always && write instanceof SinkWrite.Merge merge && !merge.keys().contains(produced.name())) {
            throw refused(
                    place,
                    "the column " + produced.name() + " is GENERATED ALWAYS AS IDENTITY, so a merge cannot set it",
                    "make it a key, leave it out with keep_columns: true, or make it GENERATED BY DEFAULT");
        }
    }

    private void refuseOtherOrder(String place, Column produced, SinkWrite write) {
        Optional<Catalog.Column> stored = column(produced.name());
        if (stored.isPresent()
                && write instanceof SinkWrite.Merge merge
                && merge.orderBy().filter(produced.name()::equals).isPresent()
                && !SinkTypes.ordersAlike(stored.get().type(), DuckType.named(produced.type()))) {
            throw refused(
                    place,
                    "order_by: " + produced.name() + " is a " + produced.type() + " in the pipeline and a "
                            + stored.get().type().written() + " in the table, which order their values differently",
                    "order by a number or a time");
        }
    }

    private static RunException refused(String place, String what, String remedy) {
        return new RunException(Code.SINK, place, what, remedy);
    }

    /** What Postgres' columns take. */
    private final class Rules implements TableFit.Rules {

        @Override
        public boolean takes(TableFit.TableColumn column, String type) {
            return SinkTypes.takes(column(column.name()).orElseThrow().type(), DuckType.named(type));
        }

        @Override
        public Optional<String> created(String type) {
            return SinkTypes.created(DuckType.named(type));
        }

        @Override
        public String instead(String name, String type) {
            return SinkTypes.instead(name);
        }

        @Override
        public boolean canWiden() {
            return true;
        }

        @Override
        public boolean confuses(String one, String other) {
            return false;
        }
    }
}
