package dev.weir.event;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The live lines of a moment: one for a backfill; else one for each windowed source that has ended a pass, and one for each
 * other node that takes long. Used under its owner's lock.
 */
final class LiveLines {

    private static final long LONG_NANOS = 1_000_000_000L;
    /** Beside the lines of windowed sources, which move by themselves, less is told of the nodes that come and go. */
    private static final long LONG_IN_A_LOOP_NANOS = 3_000_000_000L;

    private final TerminalLook look;
    private final boolean loop;
    private final LiveTable table;

    /** @param loop whether windowed sources have lines of their own */
    LiveLines(TerminalLook look, boolean loop) {
        this.look = look;
        this.loop = loop;
        this.table = new LiveTable(look);
    }

    /** As things stand now: at most one line fewer than the screen has rows. */
    List<String> at(Progress progress, long nanos, ScreenSize size) {
        return lines(progress, nanos, size, false);
    }

    /** As things stand for good. */
    List<String> last(Progress progress, long nanos, ScreenSize size) {
        return lines(progress, nanos, size, true);
    }

    private List<String> lines(Progress progress, long nanos, ScreenSize size, boolean over) {
        if (progress.backfill().isPresent()) {
            return table.lines(List.of(row(progress.backfill().get(), nanos, over)), size.columns());
        }
        List<NodeProgress> windowed = new ArrayList<>();
        List<NodeProgress> others = new ArrayList<>();
        for (NodeProgress node : progress.nodes()) {
            (loop && node.isIncremental() ? windowed : others).add(node);
        }
        List<String> lines = new ArrayList<>(table.lines(
                windowed.stream().map(node -> row(node, nanos, over)).toList(), size.columns()));
        long longer = windowed.isEmpty() ? LONG_NANOS : LONG_IN_A_LOOP_NANOS;
        others.stream()
                .filter(node -> !over && node.isOpenFor(longer, nanos))
                .forEach(node -> lines.add(slow(node, nanos, size.columns())));
        return cut(lines, size);
    }

    private List<String> cut(List<String> lines, ScreenSize size) {
        int room = Math.max(1, size.rows() - 1);
        if (lines.size() <= room) {
            return lines;
        }
        List<String> shown = new ArrayList<>(lines.subList(0, room - 1));
        String more = " and " + (lines.size() - shown.size()) + " more";
        shown.add(Widths.start(more, Math.max(0, size.columns() - 1)));
        return shown;
    }

    private LiveTable.Row row(NodeProgress node, long nanos, boolean over) {
        CursorProgress cursor = node.cursor();
        String watermark = cursor.watermark().map(Amounts::position).orElse("none");
        String ceiling = cursor.ceiling().map(Amounts::position).orElse("");
        boolean bounded = !ceiling.isEmpty();
        String rows = Wording.grouped(node.rows(), "row", "rows");
        String reached = Widths.rightAligned(watermark, Widths.of(ceiling));
        return new LiveTable.Row(
                node.name(),
                cursor.share(),
                bounded ? reached + " of " + ceiling : rows,
                bounded ? reached : rows,
                Amounts.few(cursor.rowsPerSecond()),
                Wording.counted(cursor.passes(), "pass", "passes"),
                left(node, nanos, over),
                node.isFailed()
                        ? LiveTable.Ending.FAILED
                        : cursor.isDone() ? LiveTable.Ending.DONE : LiveTable.Ending.NONE);
    }

    private static LiveTable.Row row(BackfillProgress backfill, long nanos, boolean over) {
        String chunks = backfill.done() + " of " + Wording.counted(backfill.chunks(), "chunk", "chunks");
        OptionalDouble left = backfill.secondsLeft(nanos);
        String forecast = left.isEmpty() ? "" : Amounts.left(left.getAsDouble()) + " left";
        boolean failed = over && backfill.isFailed();
        return new LiveTable.Row(
                backfill.pipeline(),
                Optional.of(backfill.share()),
                chunks,
                chunks,
                Amounts.few(backfill.rowsPerSecond(nanos)),
                over ? "" : backfill.inFlight() + " in flight",
                backfill.isDone() ? "done" : failed ? "failed" : over ? "stopped" : forecast,
                backfill.isDone() ? LiveTable.Ending.DONE : failed ? LiveTable.Ending.FAILED : LiveTable.Ending.NONE);
    }

    private static String left(NodeProgress node, long nanos, boolean over) {
        CursorProgress cursor = node.cursor();
        if (node.isFailed()) {
            return "failed";
        }
        if (cursor.isCaughtUp()) {
            return "caught up";
        }
        if (cursor.isAtEnd()) {
            return "at end";
        }
        if (over) {
            return "stopped";
        }
        OptionalDouble left = cursor.secondsLeft();
        return left.isEmpty() ? "" : Amounts.left(left.getAsDouble() - node.secondsSinceCompleted(nanos)) + " left";
    }

    /** A node that takes long: its rows so far where it counts them. */
    private String slow(NodeProgress node, long nanos, int columns) {
        List<String> parts = new ArrayList<>();
        if (node.rowsUnderWay() > 0) {
            parts.add(Wording.grouped(node.rowsUnderWay(), "row", "rows"));
            parts.add(Amounts.few(node.rowsPerSecondUnderWay()) + " rows/s");
        } else {
            parts.add(
                    switch (node.kind()) {
                        case SOURCE_LOAD -> "reading";
                        case PIPELINE -> "computing";
                        case SINK_WRITE -> "writing";
                    });
        }
        parts.add(Amounts.elapsed(node.openSeconds(nanos)));
        String told = "  " + String.join("  ", parts);
        int usable = columns - 2;
        int name = Math.max(Math.min(Widths.of(node.name()), 10), usable - Widths.of(told));
        String line = Widths.ellipsized(node.name(), name, look.unicode() ? "…" : "..") + told;
        return " " + Widths.start(line, Math.max(0, usable));
    }
}
