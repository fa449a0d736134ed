package dev.weir.event;

import dev.weir.slicing.CursorValue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What a loop has done, for a person to read when it has ended: sources, sinks, failures, the last run. */
final class Summary {

    private static final String GAP = "  ";

    private final Wording wording;
    private final TerminalLook look;
    private final Paint paint;

    Summary(Wording wording, TerminalLook look) {
        this.wording = wording;
        this.look = look;
        this.paint = Paint.of(look);
    }

    List<String> lines(Progress progress, int columns) {
        List<List<String>> table = new ArrayList<>();
        of(progress, NodeKind.SOURCE_LOAD).map(this::source).forEach(table::add);
        of(progress, NodeKind.SINK_WRITE).map(this::sink).forEach(table::add);
        List<String> lines = new ArrayList<>(laidOut(table, columns - 1));
        progress.nodes().stream()
                .filter(NodeProgress::isFailed)
                .map(this::failure)
                .forEach(lines::add);
        progress.lastPass().ifPresent(pass -> lines.add(wording.completed(pass)));
        return lines;
    }

    private static Stream<NodeProgress> of(Progress progress, NodeKind kind) {
        return progress.nodes().stream().filter(node -> node.kind() == kind);
    }

    private List<String> source(NodeProgress node) {
        List<String> cells = new ArrayList<>();
        cells.add("read");
        cells.add(node.name());
        cells.add(rows(node));
        cells.add(node.isIncremental() ? positions(node.cursor()) : "");
        cells.add(node.isIncremental() ? Wording.counted(node.cursor().passes(), "pass", "passes") : "");
        double seconds = node.elapsedSeconds();
        cells.add(node.rows() > 0 && seconds > 0 ? Amounts.few(node.rows() / seconds) + " rows/s" : "");
        cells.add("in " + Amounts.elapsed(seconds));
        return cells;
    }

    private String positions(CursorProgress cursor) {
        String from = cursor.from().map(CursorValue::toString).orElse("none");
        String to = cursor.watermark().map(CursorValue::toString).orElse("none");
        if (from.equals(to)) {
            return cursor.watermark().isEmpty() ? to : "stays at " + to;
        }
        return from + (look.unicode() ? " → " : " -> ") + to;
    }

    private List<String> sink(NodeProgress node) {
        return List.of("wrote", node.name(), rows(node));
    }

    private static String rows(NodeProgress node) {
        return Wording.grouped(node.rows(), "row", "rows");
    }

    private String failure(NodeProgress node) {
        Outcome.Failed failed = (Outcome.Failed) node.outcome();
        return paint.line("failed " + node.name() + GAP + failed.fault().code() + GAP
                + wording.clean(failed.fault().remedy()));
    }

    /** In columns where they fit the screen; else each over as many lines as it takes. */
    private static List<String> laidOut(List<List<String>> table, int columns) {
        List<Integer> widths = new ArrayList<>();
        for (List<String> cells : table) {
            for (int i = 0; i < cells.size(); i++) {
                int width = Widths.of(cells.get(i));
                if (i == widths.size()) {
                    widths.add(width);
                } else {
                    widths.set(i, Math.max(widths.get(i), width));
                }
            }
        }
        int whole = widths.stream()
                .filter(width -> width > 0)
                .mapToInt(width -> width + GAP.length())
                .sum();
        return table.stream()
                .flatMap(cells -> whole - GAP.length() <= columns ? aligned(cells, widths) : wrapped(cells, columns))
                .toList();
    }

    private static Stream<String> aligned(List<String> cells, List<Integer> widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            if (widths.get(i) > 0) {
                boolean words = i < 2 || i == 3;
                line.append(line.isEmpty() ? "" : GAP)
                        .append(
                                words
                                        ? Widths.leftAligned(cells.get(i), widths.get(i))
                                        : Widths.rightAligned(cells.get(i), widths.get(i)));
            }
        }
        return Stream.of(line.toString().stripTrailing());
    }

    private static Stream<String> wrapped(List<String> cells, int columns) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(Widths.leftAligned(cells.get(0), "wrote".length()));
        String indent = " ".repeat(Widths.of(line.toString()));
        for (String cell : cells.subList(1, cells.size())) {
            if (cell.isEmpty()) {
                continue;
            }
            if (!line.toString().isBlank()
                    && Widths.of(line.toString()) + GAP.length() + Widths.of(cell) > columns
                    && line.length() > indent.length()) {
                lines.add(line.toString());
                line = new StringBuilder(indent);
            }
            line.append(GAP).append(cell);
        }
        lines.add(line.toString());
        return lines.stream();
    }
}
