package dev.weir.connector.sqlite;

import dev.weir.connector.Column;
import dev.weir.connector.Entity;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.SliceRead.WireColumn;
import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.sqlite.DeclaredType.Affinity;
import dev.weir.fault.RunException;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorType;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of an entity, checked against its columns as the snapshot sees them.
 *
 * @param from the table or derived table, in SQL
 * @param columns what is read, the hidden cursor last
 * @param cursor how the cursor is compared; null: a full read
 * @param mixed whether the cursor may come from columns of several affinities, as in a UNION: SQLite compares each as what
 *     its own column is, texts by their letters
 * @param rowNames what tells a row from the others in a message, in SQL: the rowid, or the primary key
 * @param rowLabels what those are called
 */
record ReadPlan(
        String from,
        List<ReadColumn> columns,
        @Nullable CursorSql cursor,
        boolean mixed,
        List<String> rowNames,
        List<String> rowLabels) {

    /** One column of a read, and its name in the staged table. */
    record ReadColumn(String name, String stagedName, Reading reading) {

        WireColumn wire() {
            return new WireColumn(stagedName, reading.wire(), reading.restored());
        }
    }

    /** An entity as the file has it. */
    record Found(String from, List<Catalog.Column> columns, Optional<Catalog.Table> table) {

        /** @throws RunException when there is none */
        static Found of(Connection connection, Failures failures, String place, Entity entity) throws SQLException {
            if (entity instanceof Entity.Query query) {
                List<Catalog.Column> columns = Catalog.columns(connection, query);
                return new Found(Catalog.derived(query.sql()), columns, Optional.empty());
            }
            Entity.Table named = (Entity.Table) entity;
            Optional<Catalog.Table> table = Catalog.find(connection, named.table());
            if (table.isEmpty()) {
                throw Catalog.missing(connection, failures, place, named.table());
            }
            return new Found(Sql.quote(named.table()), table.get().columns(), table);
        }
    }

    /** @throws RunException when a column is missing, or cannot be read as asked */
    static ReadPlan of(Connection connection, Failures failures, String place, ReadRequest request)
            throws SQLException {
        Found found = Found.of(connection, failures, place, request.entity());
        request.checkColumns(
                place, found.columns().stream().map(SqliteSource::described).toList());
        List<ReadColumn> columns = new ArrayList<>();
        for (Column wanted : request.columns()) {
            Catalog.Column column = find(found, failures, place, wanted.name());
            columns.add(read(failures, place, column, wanted));
        }
        CursorSql cursor = null;
        boolean mixed = false;
        if (request.cursor().isPresent()) {
            Cursor wanted = request.cursor().get();
            Catalog.Column column = find(found, failures, place, wanted.column());
            CursorType stored = stored(failures, place, request, column);
            cursor = new CursorSql(wanted.column(), new CursorUnits(wanted.type(), stored));
            checkCompared(failures, place, column, cursor);
            mixed = column.type().affinity() == Affinity.BLOB;
            if (request.hidesCursor()) {
                DuckType type = DuckType.named(stored.toString());
                columns.add(new ReadColumn(wanted.column(), ReadRequest.HIDDEN_CURSOR, Reading.hiddenCursor(type)));
            }
        }
        List<String> names = rowNames(found);
        return new ReadPlan(
                found.from,
                List.copyOf(columns),
                cursor,
                mixed,
                withCursor(request, names.stream().map(ReadPlan::quoted).toList(), Sql::quote),
                withCursor(request, names, name -> name));
    }

    private static String quoted(String name) {
        return name.equals("rowid") || name.equals("_rowid_") || name.equals("oid") ? name : Sql.quote(name);
    }

    private static List<String> withCursor(ReadRequest request, List<String> names, UnaryOperator<String> spelling) {
        List<String> all = new ArrayList<>(names);
        request.cursor()
                .map(Cursor::column)
                .map(spelling)
                .filter(name -> !all.contains(name))
                .ifPresent(all::add);
        return List.copyOf(all);
    }

    private static List<String> rowNames(Found found) {
        return found.table
                .map(table -> table.rowid().map(List::of).orElseGet(table::primaryKey))
                .orElse(List.of());
    }

    /** The type of what the cursor's column holds: its own, or of an epoch the numbers the column is read as. */
    private static CursorType stored(Failures failures, String place, ReadRequest request, Catalog.Column column) {
        Cursor cursor = request.cursor().orElseThrow();
        if (!cursor.type().isEpoch()) {
            return cursor.type();
        }
        return request.columns().stream()
                .filter(wanted -> wanted.name().equals(cursor.column()))
                .map(Column::type)
                .findFirst()
                .or(() -> column.type().natural().map(DuckType::sql))
                .flatMap(CursorType::named)
                .filter(cursor.type()::isIn)
                .orElseThrow(() -> failures.of(
                        place,
                        "the column " + column.name() + " is " + column.type() + ", which cannot be windowed as "
                                + cursor.type(),
                        "declare it as the integers or decimals it holds under columns:"));
    }

    private static void checkCompared(Failures failures, String place, Catalog.Column column, CursorSql cursor) {
        if (cursor.units().areIntegers() && column.type().affinity() == Affinity.TEXT) {
            throw failures.of(
                    place,
                    "the column " + column.name() + " is " + column.type() + ", whose numbers SQLite keeps as texts and"
                            + " orders by their letters, so it cannot be windowed as " + cursor.type(),
                    "take another cursor, or cast it in a query: SELECT CAST(" + Sql.quote(column.name())
                            + " AS INTEGER) …");
        }
    }

    private static Catalog.Column find(Found found, Failures failures, String place, String name) {
        return found.columns.stream()
                .filter(column -> column.name().equals(name))
                .findFirst()
                .orElseThrow(() -> failures.of(
                        place,
                        "there is no column " + name,
                        "its columns are "
                                + found.columns.stream()
                                        .map(Catalog.Column::name)
                                        .collect(Collectors.joining(", "))
                                + "; names are case-sensitive"));
    }

    private static ReadColumn read(Failures failures, String place, Catalog.Column column, Column wanted) {
        Reading reading = Reading.of(DuckType.named(wanted.type()))
                .orElseThrow(() -> failures.of(
                        place,
                        "the column " + column.name() + ", a " + column.type() + ", cannot be read as " + wanted.type(),
                        "declare it as varchar under columns: and cast it in the pipeline"));
        return new ReadColumn(column.name(), wanted.name(), reading);
    }

    String select(Optional<CursorRange> range) {
        List<String> list = new ArrayList<>(
                columns.stream().map(column -> Sql.quote(column.name())).toList());
        list.addAll(rowNames);
        return "SELECT " + (list.isEmpty() ? "NULL" : String.join(", ", list)) + " FROM " + from
                + range.map(within -> " WHERE " + needCursor().within(within)).orElse("");
    }

    CursorSql needCursor() {
        if (cursor == null) {
            throw new IllegalStateException("a full read has no cursor");
        }
        return cursor;
    }
}
