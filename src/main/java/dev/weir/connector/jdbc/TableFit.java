package dev.weir.connector.jdbc;

import dev.weir.connector.Column;
import dev.weir.connector.Fit;
import dev.weir.connector.Lossless;
import dev.weir.connector.SinkWrite;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.slicing.OnSchemaChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Decides how columns go into an existing table: by the same rules for every system.
 *
 * @param place what failures name
 * @param columns the table's columns
 * @param rules what only the system knows
 */
public record TableFit(String place, List<TableColumn> columns, Rules rules) {

    /**
     * A column of the table.
     *
     * @param type as its system writes it
     * @param weirType the DuckDB type its values come back as; empty: weir knows none
     * @param generated whether the table computes it, so that nothing can be written to it
     * @param required whether it takes no NULL and has no default
     */
    public record TableColumn(
            String name, String type, Optional<String> weirType, boolean generated, boolean required) {}

    /** What differs from system to system. */
    public interface Rules {

        /** Whether a column of the table takes every value of a DuckDB type without changing it. */
        boolean takes(TableColumn column, String type);

        /** The system's type that holds every value of a DuckDB type; empty: it has none. */
        Optional<String> created(String type);

        /** What to write in the SELECT for a column of a type that the system has none for. */
        default String instead(String name, String type) {
            return "cast " + name + " in the pipeline, to varchar for one";
        }

        /** Whether the type of a column can be changed. */
        boolean canWiden();

        /** Whether two names that differ are one to the system. */
        boolean confuses(String one, String other);
    }

    private static final String OR_ADD = "; or write on_schema_change: add in the sink, and it is added";

    public TableFit {
        columns = List.copyOf(columns);
    }

    /** Refuses a table that is weir's own. */
    public static void refuseOwn(String place, String table) {
        OwnTables.kept(table).ifPresent(kept -> {
            throw refused(place, table + " is where weir keeps " + kept, "name another table");
        });
    }

    /** See {@link dev.weir.connector.Sink#fit}. */
    public Fit of(List<Column> produced, SinkWrite write, OnSchemaChange policy) {
        List<Column> written = new ArrayList<>();
        List<Column> added = new ArrayList<>();
        List<Column> widened = new ArrayList<>();
        List<Column> ignored = new ArrayList<>();
        for (Column column : produced) {
            Optional<TableColumn> there = find(column.name());
            if (there.isEmpty() && policy == OnSchemaChange.IGNORE) {
                refuseLacking(column, write);
                refuseUnordered(column, write);
                ignored.add(column);
                continue;
            }
            written.add(column);
            if (there.isEmpty()) {
                add(column, write, policy);
                added.add(column);
            } else if (!takes(there.get(), column, policy)) {
                widened.add(column);
            }
        }
        return new Fit(written, added, widened, ignored, kept(produced, write, policy));
    }

    /** Of the types that a fit was to widen, those that nobody has made wide enough since. */
    public List<Column> stillNarrow(Fit fit) {
        return fit.widened().stream()
                .filter(column ->
                        !takes(find(column.name()).orElseThrow(() -> lacks(column, "")), column, OnSchemaChange.ADD))
                .toList();
    }

    /** Refuses columns that rows are found by, unless the table has them and takes every value of theirs. */
    public void check(List<Column> found) {
        for (Column column : found) {
            takes(find(column.name()).orElseThrow(() -> lacks(column, "")), column, OnSchemaChange.FAIL);
        }
    }

    private Optional<TableColumn> find(String name) {
        return columns.stream().filter(column -> column.name().equals(name)).findFirst();
    }

    private void add(Column column, SinkWrite write, OnSchemaChange policy) {
        if (policy == OnSchemaChange.FAIL) {
            throw lacks(column, OR_ADD);
        }
        refuseLacking(column, write);
        if (rules.created(column.type()).isEmpty()) {
            throw new RunException(
                    Code.LOSSY_SINK,
                    place,
                    "no column can be added that holds every value of " + column.name() + ", a " + column.type(),
                    rules.instead(column.name(), column.type()));
        }
    }

    /** What rows are found by must be in the table, and what the table would take for another column must not come in. */
    private void refuseLacking(Column column, SinkWrite write) {
        boolean finds = write instanceof SinkWrite.Merge merge && merge.keys().contains(column.name())
                || write instanceof SinkWrite.Window window && window.cursor().equals(column.name());
        boolean confused = columns.stream().anyMatch(there -> rules.confuses(there.name(), column.name()));
        if (finds || confused) {
            throw lacks(column, "");
        }
    }

    /** Of rows that are written without it nobody could tell later which is newer. */
    private void refuseUnordered(Column column, SinkWrite write) {
        if (write instanceof SinkWrite.Merge merge && merge.orderBy().equals(Optional.of(column.name()))) {
            throw lacks(column, ", by which its rows are ordered" + OR_ADD);
        }
    }

    private RunException lacks(Column column, String orElse) {
        return refused(
                "the table has no column " + column.name(),
                "its columns are "
                        + columns.stream().map(TableColumn::name).collect(Collectors.joining(", "))
                        + "; names are case-sensitive. Add it to the table, or leave it out of the SELECT" + orElse);
    }

    /** Whether the table's column takes the values as it is; false: once it is widened. */
    private boolean takes(TableColumn there, Column column, OnSchemaChange policy) {
        if (there.generated()) {
            throw refused(
                    "the column " + there.name() + " is computed by the table itself", "leave it out of the pipeline");
        }
        if (rules.takes(there, column.type())) {
            return true;
        }
        Optional<String> created = rules.created(column.type());
        Optional<String> wider = created.filter(type -> rules.canWiden()
                && there.weirType()
                        .filter(today -> Lossless.holds(today, column.type()))
                        .isPresent());
        if (wider.isPresent() && policy == OnSchemaChange.ADD) {
            return false;
        }
        throw new RunException(
                Code.LOSSY_SINK,
                place,
                "the pipeline's column " + column.name() + " is " + column.type() + " and the table's is "
                        + there.type() + ", which does not hold every such value",
                wider.map(type -> "cast it in the pipeline, alter the table's column to " + type
                                + ", or write on_schema_change: add in the sink, and that is done")
                        .or(() -> created.map(
                                type -> "cast it in the pipeline, or make the column of the type weir would: " + type))
                        .orElseGet(() -> rules.instead(column.name(), column.type())));
    }

    private List<String> kept(List<Column> produced, SinkWrite write, OnSchemaChange policy) {
        List<TableColumn> missing = columns.stream()
                .filter(there -> !there.generated()
                        && produced.stream().noneMatch(column -> column.name().equals(there.name())))
                .toList();
        String names = missing.stream().map(TableColumn::name).collect(Collectors.joining(", "));
        if (!missing.isEmpty() && !write.keepColumns() && policy == OnSchemaChange.FAIL) {
            throw refused(
                    "the table has columns that the pipeline does not produce: " + names,
                    "produce them, drop them from the table, or write on_schema_change: ignore in the sink"
                            + (write instanceof SinkWrite.Merge ? " or keep_columns: true" : "")
                            + " to let them keep their values");
        }
        missing.stream().filter(TableColumn::required).findFirst().ifPresent(there -> {
            throw refused(
                    "the column " + there.name() + ", which the pipeline does not produce, takes no NULL and has no"
                            + " default, so no new row can be inserted",
                    "produce it, or give it a default");
        });
        return missing.stream().map(TableColumn::name).toList();
    }

    private RunException refused(String what, String remedy) {
        return refused(place, what, remedy);
    }

    private static RunException refused(String place, String what, String remedy) {
        return new RunException(Code.SINK, place, what, remedy);
    }
}
