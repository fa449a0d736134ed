package dev.weir.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.fault.Redactor;
import dev.weir.run.Preview;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jline.utils.AttributedString;
import org.jspecify.annotations.Nullable;

/** Rows to be looked at: a column under its name and type, wide values cut. */
final class RowTable {

    private static final int WIDEST = 40;
    private static final String NULL = "NULL";

    private final Preview preview;
    private final Redactor redactor;

    RowTable(Preview preview, Redactor redactor) {
        this.preview = preview;
        this.redactor = redactor;
    }

    /** A table, and a line that says how many rows there are. */
    List<String> lines() {
        List<List<String>> cells = new ArrayList<>();
        cells.add(preview.columns().stream().map(column -> shown(column.name())).toList());
        cells.add(preview.columns().stream()
                .map(column -> shown(column.type().toLowerCase(Locale.ROOT)))
                .toList());
        preview.rows().forEach(row -> cells.add(row.stream().map(this::shown).toList()));
        int[] widths = new int[preview.columns().size()];
        cells.forEach(row -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], width(row.get(i)));
            }
        });
        List<String> lines = new ArrayList<>();
        cells.forEach(row -> lines.add(line(row, widths)));
        lines.add(2, rule(widths));
        lines.add(summary());
        return lines;
    }

    /** One object a row. */
    List<String> json() {
        return preview.rows().stream().map(this::object).toList();
    }

    private String object(List<@Nullable String> row) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        for (int i = 0; i < row.size(); i++) {
            String value = row.get(i);
            json.put(preview.columns().get(i).name(), value == null ? null : redactor.redact(value));
        }
        return json.toString();
    }

    private String summary() {
        String total = preview.total() == 1 ? "1 row" : preview.total() + " rows";
        return preview.rows().size() < preview.total()
                ? preview.rows().size() + " of " + total + " of the next slice"
                : total + " in the next slice";
    }

    private String shown(@Nullable String value) {
        if (value == null) {
            return NULL;
        }
        String clean = redactor.redact(value).replaceAll("\\p{Cntrl}", "?");
        AttributedString text = new AttributedString(clean);
        return text.columnLength() <= WIDEST ? clean : text.columnSubSequence(0, WIDEST - 1) + "…";
    }

    private static int width(String cell) {
        return new AttributedString(cell).columnLength();
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < row.size(); i++) {
            line.append(i == 0 ? "" : "  ").append(row.get(i)).append(" ".repeat(widths[i] - width(row.get(i))));
        }
        return line.toString().stripTrailing();
    }

    private static String rule(int[] widths) {
        List<String> parts = new ArrayList<>();
        for (int width : widths) {
            parts.add("─".repeat(Math.max(1, width)));
        }
        return String.join("  ", parts);
    }
}
