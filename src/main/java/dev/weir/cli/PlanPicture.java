package dev.weir.cli;

import dev.weir.event.Paint;
import dev.weir.event.ScreenSize;
import dev.weir.event.TerminalLook;
import dev.weir.run.PlanLook;
import dev.weir.run.PlanLook.Standing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The range of a backfill as a picture: a character for each chunk, or for several where there are very many; then of
 * these the one that most wants to be looked at.
 */
final class PlanPicture {

    /** So many characters can still be taken in, on however many lines. */
    static final int MOST = 4_000;

    private static final String INDENT = "  ";
    private static final int USUAL_COLUMNS = 80;

    private final int columns;
    private final boolean unicode;
    private final Paint paint;

    private PlanPicture(int columns, boolean unicode, Paint paint) {
        this.columns = Math.max(1, columns - INDENT.length());
        this.unicode = unicode;
        this.paint = paint;
    }

    /** As what the output is shown on can take it: in colours on a terminal alone, plain characters without UTF-8. */
    static PlanPicture on(Console console) {
        Optional<ScreenSize> terminal = Display.terminal(console);
        TerminalLook look = Display.look(console);
        return new PlanPicture(
                terminal.map(ScreenSize::columns).orElse(USUAL_COLUMNS),
                look.unicode(),
                Paint.of(new TerminalLook(terminal.isPresent() && look.colours(), look.unicode())));
    }

    /** The picture, and a line that explains its characters. */
    List<String> of(PlanLook look) {
        int together = Math.max(1, (look.chunks().size() + MOST - 1) / MOST);
        List<Standing> cells = cells(look, together);
        List<String> lines = new ArrayList<>();
        for (int start = 0; start < cells.size(); start += columns) {
            lines.add(INDENT + line(cells.subList(start, Math.min(start + columns, cells.size()))));
        }
        lines.add(legend(look));
        if (together > 1) {
            lines.add(INDENT + "each character is " + String.format(Locale.ROOT, "%,d", together)
                    + " chunks, and shows the worst of them");
        }
        return lines;
    }

    private static List<Standing> cells(PlanLook look, int together) {
        List<Standing> cells = new ArrayList<>();
        List<PlanLook.Seen> chunks = look.chunks();
        for (int start = 0; start < chunks.size(); start += together) {
            cells.add(chunks.subList(start, Math.min(start + together, chunks.size())).stream()
                    .map(PlanLook.Seen::standing)
                    .min(Standing::compareTo)
                    .orElseThrow());
        }
        return cells;
    }

    /** Neighbours of one kind are coloured together. */
    private String line(List<Standing> cells) {
        StringBuilder line = new StringBuilder();
        for (int start = 0; start < cells.size(); ) {
            Standing standing = cells.get(start);
            int end = start;
            while (end < cells.size() && cells.get(end) == standing) {
                end++;
            }
            line.append(painted(standing, sign(standing).repeat(end - start)));
            start = end;
        }
        return line.toString();
    }

    private String legend(PlanLook look) {
        return INDENT
                + Arrays.stream(Standing.values())
                        .sorted((a, b) -> b.compareTo(a))
                        .filter(standing -> look.count(standing) > 0)
                        .map(standing -> painted(standing, sign(standing)) + " "
                                + String.format(Locale.ROOT, "%,d", look.count(standing)) + " " + standing)
                        .collect(Collectors.joining("   "));
    }

    private String sign(Standing standing) {
        return switch (standing) {
            case COMPLETED -> unicode ? "█" : "#";
            case RUNNING -> unicode ? "▶" : ">";
            case FAILED -> unicode ? "✗" : "x";
            case INTERRUPTED -> "?";
            case PENDING -> unicode ? "·" : ".";
        };
    }

    private String painted(Standing standing, String text) {
        return switch (standing) {
            case COMPLETED -> paint.done(text);
            case RUNNING -> paint.underWay(text);
            case FAILED -> paint.wrong(text);
            case INTERRUPTED -> paint.leftUndone(text);
            case PENDING -> paint.faint(text);
        };
    }
}
