package dev.weir.connector.duckdb;

import dev.weir.connector.Column;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.TableName;
import dev.weir.connector.jdbc.OwnTables;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Whether an existing table can take columns without losing anything. */
record SinkCheck(String place, TableName table, Shape shape, boolean view, List<Column> columns, SinkWrite write) {

    void check() {
        checkColumns();
        boolean keeps = write instanceof SinkWrite.Merge merge && merge.keepColumns();
        String extra = shape.columns().stream()
                .filter(field -> !field.generated() && isMissing(field.name()))
                .map(Shape.Field::name)
                .collect(Collectors.joining(", "));
        if (!keeps && !extra.isEmpty()) {
            throw refused(
                    "the table has columns the pipeline does not produce: " + extra,
                    write instanceof SinkWrite.Merge
                            ? "add them to the SELECT, drop them, or say keep_columns: true"
                            : "add them to the SELECT, or drop them");
        }
    }

    /** The part of it that looks at the columns alone that are there. */
    void checkColumns() {
        if (view) {
            throw refused("it is a view, and a view takes no rows", "name a table");
        }
        OwnTables.kept(table.table()).ifPresent(kept -> {
            throw refused("it is where weir keeps " + kept, "name another table");
        });
        columns.forEach(this::checkColumn);
    }

    private boolean isMissing(String name) {
        return columns.stream().noneMatch(column -> column.name().equals(name));
    }

    private void checkColumn(Column column) {
        Optional<Shape.Field> found = shape.columns().stream()
                .filter(field -> field.name().equals(column.name()))
                .findFirst();
        if (found.isEmpty()) {
            throw refused(
                    "the table has no column " + column.name(),
                    "its columns are "
                            + String.join(
                                    ", ",
                                    shape.columns().stream()
                                            .map(Shape.Field::name)
                                            .toList())
                            + "; add it to the table, or leave it out of the SELECT");
        }
        Shape.Field field = found.get();
        if (field.generated()) {
            throw refused("the table computes the column " + column.name() + " itself", "leave it out of the SELECT");
        }
        if (!Lossless.holds(column.type(), field.type())) {
            throw new RunException(
                    Code.LOSSY_SINK,
                    place,
                    "the column " + column.name() + " is " + column.type() + " in the pipeline and " + field.type()
                            + " in the table, which cannot hold every value of it",
                    "change the table's column to " + column.type() + ", or cast in the SELECT: CAST(" + column.name()
                            + " AS " + field.type() + ")");
        }
    }

    private RunException refused(String what, String remedy) {
        return new RunException(Code.SINK, place, what, remedy);
    }
}
