package dev.weir.event;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lays out the live lines of windowed sources and of backfills: as much of bar, percent, positions, speed, passes and time left as the
 * screen is wide enough for, in columns that only ever grow, so that nothing jumps. Used under its owner's lock.
 */
final class LiveTable {

    private static final int MIN_NAME = 10;
    private static final int NAME_BEFORE_BAR = 28;
    private static final int MAX_BAR = 40;
    private static final String GAP = "  ";

    /**
     * The texts of one line; empty ones where there is nothing to say.
     *
     * @param share empty: no bar and no percent
     * @param position watermark and ceiling, or chunks
     * @param watermark the watermark alone
     * @param left how long, or how it ended
     */
    record Row(
            String name,
            Optional<Share> share,
            String position,
            String watermark,
            String rate,
            String passes,
            String left,
            Ending ending) {}

    enum Ending {
        NONE,
        DONE,
        FAILED
    }

    /** Each with room for what it usually comes to hold, so that the bar does not shrink while it fills. */
    private enum Column {
        PERCENT("100%"),
        POSITION(""),
        WATERMARK(""),
        RATE("99.9k rows/s"),
        SHORT_RATE("99.9k/s"),
        PASSES("99 passes"),
        LEFT("caught up");

        private final int usual;

        Column(String usual) {
            this.usual = Widths.of(usual);
        }
    }

    /** From the richest to the barest; the first that fits is taken. */
    private record Layout(int bar, int name, List<Column> columns) {}

    private static final List<Layout> LAYOUTS = List.of(
            new Layout(10, 16, List.of(Column.PERCENT, Column.POSITION, Column.RATE, Column.PASSES, Column.LEFT)),
            new Layout(
                    6,
                    MIN_NAME,
                    List.of(Column.PERCENT, Column.POSITION, Column.SHORT_RATE, Column.PASSES, Column.LEFT)),
            new Layout(
                    6,
                    MIN_NAME,
                    List.of(Column.PERCENT, Column.WATERMARK, Column.SHORT_RATE, Column.PASSES, Column.LEFT)),
            new Layout(6, MIN_NAME, List.of(Column.PERCENT, Column.WATERMARK, Column.SHORT_RATE, Column.LEFT)),
            new Layout(0, MIN_NAME, List.of(Column.PERCENT, Column.SHORT_RATE, Column.LEFT)),
            new Layout(0, MIN_NAME, List.of(Column.PERCENT, Column.LEFT)),
            new Layout(0, MIN_NAME, List.of(Column.PERCENT)),
            new Layout(0, 1, List.of()));

    private final TerminalLook look;
    private final Paint paint;
    private final Map<Column, Integer> widths = new EnumMap<>(Column.class);

    LiveTable(TerminalLook look) {
        this.look = look;
        this.paint = Paint.of(look);
    }

    /** @param columns how wide the screen is; the last cell of it stays free */
    List<String> lines(List<Row> rows, int columns) {
        if (rows.isEmpty()) {
            return List.of();
        }
        for (Row row : rows) {
            for (Column column : Column.values()) {
                int width = Widths.of(text(row, column));
                widths.merge(column, width == 0 ? 0 : Math.max(width, column.usual), Math::max);
            }
        }
        boolean anyShare = rows.stream().anyMatch(row -> row.share().isPresent());
        int usable = columns - 2;
        int longest = rows.stream().mapToInt(row -> Widths.of(row.name())).max().orElse(0);
        for (Layout layout : LAYOUTS) {
            int bar = anyShare ? layout.bar() : 0;
            int fixed = layout.columns().stream().mapToInt(this::width).sum() + (bar > 0 ? bar + GAP.length() : 0);
            int spare = usable - fixed - Math.min(longest, layout.name());
            if (spare >= 0) {
                return lines(rows, layout, bar, Math.min(longest, layout.name()), longest, spare);
            }
        }
        return rows.stream()
                .map(row -> " " + Widths.start(row.name(), Math.max(0, usable)))
                .toList();
    }

    /** With its gap; nothing for a column in which nothing stands. */
    private int width(Column column) {
        int width = widths.get(column);
        return width == 0 ? 0 : width + gap(column).length();
    }

    /** The percent belongs to its bar. */
    private static String gap(Column column) {
        return column == Column.PERCENT ? " " : GAP;
    }

    /** The spare cells go to the name up to a readable length, then to the bar, then to the rest of the name. */
    private List<String> lines(List<Row> rows, Layout layout, int leastBar, int leastName, int longest, int spare) {
        int name = leastName;
        int left = spare;
        int more = Math.min(left, Math.max(0, Math.min(longest, NAME_BEFORE_BAR) - name));
        name += more;
        left -= more;
        int bar = leastBar;
        if (bar > 0) {
            more = Math.min(left, MAX_BAR - bar);
            bar += more;
            left -= more;
        }
        name += Math.min(left, longest - name);
        List<String> lines = new ArrayList<>();
        for (Row row : rows) {
            lines.add(line(row, layout, name, bar));
        }
        return lines;
    }

    private String line(Row row, Layout layout, int name, int bar) {
        StringBuilder line = new StringBuilder(" ");
        line.append(Widths.leftAligned(Widths.ellipsized(row.name(), name, look.unicode() ? "…" : ".."), name));
        if (bar > 0) {
            line.append(GAP).append(row.share().map(share -> bar(share, bar)).orElse(" ".repeat(bar)));
        }
        for (Column column : layout.columns()) {
            if (width(column) > 0) {
                String cell = Widths.rightAligned(fitting(row, column), widths.get(column));
                line.append(gap(column)).append(column == Column.LEFT ? ended(row.ending(), cell) : cell);
            }
        }
        return line.toString().stripTrailing();
    }

    /** Where there is room only for the widest watermark, a shorter one may still stand beside its ceiling. */
    private String fitting(Row row, Column column) {
        boolean both = column == Column.WATERMARK && Widths.of(row.position()) <= widths.get(column);
        return both ? row.position() : text(row, column);
    }

    private String ended(Ending ending, String cell) {
        return switch (ending) {
            case NONE -> cell;
            case DONE -> paint.done(cell);
            case FAILED -> paint.wrong(cell);
        };
    }

    private String bar(Share share, int cells) {
        int filled = share.of(cells);
        String done = (look.unicode() ? "━" : "#").repeat(filled);
        String rest = (look.unicode() ? "─" : "-").repeat(cells - filled);
        return (share.isAll() ? paint.done(done) : paint.underWay(done)) + paint.faint(rest);
    }

    private static String text(Row row, Column column) {
        return switch (column) {
            case PERCENT -> row.share().map(share -> share.percent() + "%").orElse("");
            case POSITION -> row.position();
            case WATERMARK -> row.watermark();
            case RATE -> row.rate() + " rows/s";
            case SHORT_RATE -> row.rate() + "/s";
            case PASSES -> row.passes();
            case LEFT -> row.left();
        };
    }
}
