package dev.weir.connector.sqlite;

import dev.weir.connector.Column;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.TableName;
import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.jdbc.OwnTables;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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

    /** Refuses what would lose something; see {@link dev.weir.connector.Sink#check}. */
    void check(String place, List<Column> produced, SinkWrite write) {
        checkColumns(place, produced);
        Set<String> names = produced.stream().map(Column::name).collect(Collectors.toSet());
        boolean keeps = write instanceof SinkWrite.Merge merge && merge.keepColumns();
        for (Catalog.Column column : table.columns()) {
            if (!names.contains(column.name()) && !column.generated()) {
                checkMissing(place, column, keeps, write);
            }
        }
    }

    /** The part of it that looks at the columns alone that are there. */
    void checkColumns(String place, List<Column> produced) {
        OwnTables.kept(table.name().table()).ifPresent(kept -> {
            throw refused(place, table.name() + " is where weir keeps " + kept, "name another table");
        });
        if (!table.type().equals("table")) {
            throw refused(
                    place,
                    table.name() + " is no ordinary table, but a " + table.type(),
                    "write to a table, not to a view or a virtual table");
        }
        produced.forEach(column -> check(place, column));
    }

    private static void checkMissing(String place, Catalog.Column column, boolean keeps, SinkWrite write) {
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
                    "the column " + column.name() + ", which the pipeline does not produce, takes no NULL and has no"
                            + " default, so no new row can be inserted",
                    "produce it, or give it a default");
        }
    }

    private void check(String place, Column produced) {
        Catalog.Column column = column(produced.name())
                .orElseThrow(() -> refused(
                        place,
                        "the table has no column " + produced.name(),
                        "its columns are "
                                + table.columns().stream()
                                        .map(Catalog.Column::name)
                                        .collect(Collectors.joining(", "))
                                + "; names are case-sensitive"));
        if (column.generated()) {
            throw refused(
                    place,
                    "the column " + column.name() + " is computed by the table itself",
                    "leave it out of the pipeline");
        }
        if (!SinkTypes.takes(column.type(), DuckType.named(produced.type()))) {
            throw new RunException(
                    Code.LOSSY_SINK,
                    place,
                    "the pipeline's column " + produced.name() + " is " + produced.type() + " and the table's is "
                            + column.type() + ", which does not keep every such value",
                    "cast it in the pipeline, or make the column of the type weir would: "
                            + SinkTypes.created(DuckType.named(produced.type()))
                                    .orElse("none; varchar takes its text"));
        }
    }

    private static RunException refused(String place, String what, String remedy) {
        return new RunException(Code.SINK, place, what, remedy);
    }
}
