package dev.weir.connector.sqlite;

import dev.weir.connector.Column;
import dev.weir.connector.Fit;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.TableName;
import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.jdbc.TableFit;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.slicing.OnSchemaChange;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A table that is written to, as the schema tells it.
 *
 * @param uniqueKeys the column sets that a unique index, usable for ON CONFLICT, holds apart
 * @param dropsRows whether a trigger may pass over rows without a word
 */
record Target(Catalog.Table table, Set<Set<String>> uniqueKeys, boolean dropsRows) {

    static Optional<Target> find(Connection connection, TableName name) throws SQLException {
        Optional<Catalog.Table> table = Catalog.find(connection, name);
        if (table.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Target(
                table.get(), Catalog.uniqueKeys(connection, table.get()), Catalog.dropsRows(connection, name)));
    }

    /** The table in SQL. */
    String sql() {
        return Sql.quote(table.name());
    }

    Optional<Catalog.Column> column(String name) {
        return table.columns().stream()
                .filter(column -> column.name().equals(name))
                .findFirst();
    }

    /** The declared type of a column that {@link #check} has found. */
    DeclaredType type(String name) {
        return column(name).orElseThrow().type();
    }

    /** How columns go into it; see {@link dev.weir.connector.Sink#fit}. */
    Fit fit(String place, List<Column> produced, SinkWrite write, OnSchemaChange policy) {
        if (write instanceof SinkWrite.Merge merge) {
            Stream.concat(merge.keys().stream(), merge.orderBy().stream()).forEach(name -> checkCompared(place, name));
        }
        return fit(place).of(produced, write, policy);
    }

    /** Refuses columns that rows are found by and that are not its own. */
    void check(String place, List<Column> found) {
        fit(place).check(found);
    }

    private TableFit fit(String place) {
        TableFit.refuseOwn(place, table.name().table());
        if (!table.type().equals("table")) {
            throw new RunException(
                    Code.SINK,
                    place,
                    table.name() + " is no ordinary table, but a " + table.type(),
                    "write to a table, not to a view or a virtual table");
        }
        return new TableFit(
                place, table.columns().stream().map(Target::described).toList(), new Rules());
    }

    private void checkCompared(String place, String name) {
        Optional<DuckType> type = column(name).flatMap(column -> column.type().natural());
        if (type.isPresent() && !SinkTypes.isCompared(type.get())) {
            throw new RunException(
                    Code.SINK,
                    place,
                    "the rows are merged by " + name + ", a " + type.get().sql() + ", of which SQLite would compare the"
                            + " letters",
                    "merge by another column, or make it a number or a text in the SELECT");
        }
    }

    private static TableFit.TableColumn described(Catalog.Column column) {
        return new TableFit.TableColumn(
                column.name(),
                column.type().toString(),
                column.type().natural().map(DuckType::sql),
                column.generated(),
                column.notNull() && !column.defaulted());
    }

    /** What SQLite's columns take. */
    private final class Rules implements TableFit.Rules {

        @Override
        public boolean takes(TableFit.TableColumn column, String type) {
            return SinkTypes.takes(type(column.name()), DuckType.named(type));
        }

        @Override
        public Optional<String> created(String type) {
            return SinkTypes.created(DuckType.named(type));
        }

        @Override
        public String instead(String name, String type) {
            return SinkTypes.instead(name, type);
        }

        /** SQLite has no statement for it, and a table that is made anew loses what hangs on it. */
        @Override
        public boolean canWiden() {
            return false;
        }

        @Override
        public boolean confuses(String one, String other) {
            return one.equalsIgnoreCase(other);
        }
    }
}
