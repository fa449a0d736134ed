package dev.weir.run;

import dev.weir.connector.Column;
import dev.weir.connector.DuckSession;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.Source;
import dev.weir.connector.SourceColumn;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.fault.UsageException;
import dev.weir.plan.SourceNode;
import dev.weir.plan.SyncCheck;
import dev.weir.plan.SyncText;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Settles what the project says of a source with what the source's catalog says. Nothing is read of its rows. */
final class SourceBinder {

    private SourceBinder() {}

    /**
     * @throws RunException when the source does not answer, lacks a column, or has one of a type weir cannot read
     * @throws UsageException when its {@code sync} block contradicts the cursor's type
     */
    static BoundSource bind(SourceNode node, Source source) {
        List<SourceColumn> catalog = source.describe(node.entity());
        List<String> notices = new ArrayList<>();
        List<Column> columns = node.columns().isEmpty()
                ? catalog.stream().map(column -> read(node, column, notices)).toList()
                : node.columns();
        for (Column column : columns) {
            find(node, catalog, column.name());
        }
        refuseTwins(node, columns);
        if (node.sync().isEmpty()) {
            return new BoundSource(node, request(node, columns, Optional.empty(), catalog), Optional.empty(), notices);
        }
        SyncText text = node.sync().get();
        SourceColumn cursorColumn = find(node, catalog, text.cursor());
        String type = cursorType(node, cursorColumn);
        BoundSource.Incremental incremental =
                BoundSource.Incremental.of(text.cursor(), type, Optional.of(cursorColumn), SyncCheck.parse(node, type));
        return new BoundSource(
                node,
                request(node, columns, Optional.of(incremental.cursor()), catalog),
                Optional.of(incremental),
                notices);
    }

    /** The rows are staged in DuckDB. */
    private static void refuseTwins(SourceNode node, List<Column> columns) {
        Map<String, String> seen = new HashMap<>();
        for (Column column : columns) {
            String other = seen.put(DuckSession.folded(column.name()), column.name());
            if (other != null) {
                throw new UsageException(
                        Code.SOURCE,
                        node.key(),
                        "the columns " + other + " and " + column.name()
                                + " differ in case alone, and DuckDB, which the rows go through, takes them for one name",
                        "name one of them alone under columns:, or give one another name in a query: SELECT "
                                + DuckSession.quoted(other) + ", " + DuckSession.quoted(column.name()) + " AS "
                                + DuckSession.quoted(column.name() + "_2") + ", …");
            }
        }
    }

    /** A query with tokens is another one for each chunk: its columns may have other types. */
    private static ReadRequest request(
            SourceNode node, List<Column> columns, Optional<Cursor> cursor, List<SourceColumn> catalog) {
        return new ReadRequest(node.entity(), columns, cursor, node.tokens().isPresent() ? List.of() : catalog);
    }

    private static Column read(SourceNode node, SourceColumn column, List<String> notices) {
        if (column.notice() != null) {
            notices.add(node.key() + ": the column " + column.name() + " " + column.notice());
        }
        return new Column(column.name(), column.type().orElseThrow(() -> unreadable(node, column)));
    }

    private static RunException unreadable(SourceNode node, SourceColumn column) {
        return new RunException(
                Code.SOURCE,
                node.key(),
                "column " + column.name() + " is a " + column.sourceType() + ", which weir cannot read",
                "leave it out by naming the wanted ones under columns:, or read it as text: " + column.name()
                        + ": varchar");
    }

    private static SourceColumn find(SourceNode node, List<SourceColumn> catalog, String name) {
        return catalog.stream()
                .filter(column -> column.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new RunException(
                        Code.SOURCE,
                        node.key(),
                        "there is no column '" + name + "'",
                        "its columns are: "
                                + String.join(
                                        ", ",
                                        catalog.stream().map(SourceColumn::name).toList())));
    }

    /**
     * The type the cursor is windowed by: the declared one, where it holds every value of the column.
     *
     * <p>A narrower one would end windows at its own end, and the rows beyond it would never be read.
     */
    private static String cursorType(SourceNode node, SourceColumn column) {
        String own = column.type().orElse(column.sourceType());
        Optional<String> declared = node.columns().stream()
                .filter(wanted -> wanted.name().equals(column.name()))
                .map(Column::type)
                .findFirst();
        Optional<CursorType> of = CursorType.named(own);
        if (declared.isEmpty() || column.typedByValue()) {
            return declared.orElse(of.isEmpty() && column.typedByValue() ? column.sourceType() : own);
        }
        Optional<CursorType> as = CursorType.named(declared.get());
        if (as.isPresent() && (of.isEmpty() || !as.get().holds(of.get()))) {
            throw new UsageException(
                    Code.BAD_WINDOW,
                    node.key(),
                    "the cursor " + column.name() + " is declared " + declared.get() + ", and the column is a "
                            + column.sourceType() + ", whose values that does not hold",
                    "declare it as " + own + ", or leave its type to the source");
        }
        return declared.get();
    }
}
