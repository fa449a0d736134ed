package dev.weir.event;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A terminal that knows what weir sends and nothing more; anything else fails. Lines are not wrapped. */
final class PretendScreen extends OutputStream {

    private static final Pattern PIECE = Pattern.compile("\u001b\\[\\??(\\d*)([A-Za-z])|\r|\n|[^\u001b\r\n]+");

    private final List<String> rows = new ArrayList<>(List.of(""));
    private final StringBuilder sent = new StringBuilder();
    private ScreenSize size;
    private int row;
    private int column;
    private boolean cursorVisible = true;
    private boolean wrapping = true;
    private int widest;

    PretendScreen(int columns, int height) {
        this.size = new ScreenSize(columns, height);
    }

    void resize(int columns, int height) {
        size = new ScreenSize(columns, height);
    }

    Supplier<ScreenSize> size() {
        return () -> size;
    }

    @Override
    public void write(int octet) {
        throw new UnsupportedOperationException("every call is one write");
    }

    @Override
    public void write(byte[] octets) {
        String text = new String(octets, StandardCharsets.UTF_8);
        sent.append(text);
        Matcher piece = PIECE.matcher(text);
        int end = 0;
        while (piece.find()) {
            if (piece.start() != end) {
                throw new IllegalStateException("not understood: " + text.substring(end));
            }
            end = piece.end();
            if (piece.group(2) != null) {
                control(piece.group(), piece.group(1));
            } else {
                text(piece.group());
            }
        }
    }

    private void control(String all, String number) {
        int times = number.isEmpty() ? 1 : Integer.parseInt(number);
        switch (all.charAt(all.length() - 1)) {
            case 'A' -> row -= times;
            case 'B' -> row += times;
            case 'J' -> {
                rows.set(row, rows.get(row).substring(0, column));
                rows.subList(row + 1, rows.size()).clear();
            }
            case 'm' -> {}
            case 'h', 'l' -> {
                boolean on = all.endsWith("h");
                if (times == 25) {
                    cursorVisible = on;
                } else {
                    wrapping = on;
                }
            }
            default -> throw new IllegalStateException("not understood: " + all);
        }
        if (row < 0 || row >= rows.size()) {
            throw new IllegalStateException("the cursor left the screen");
        }
    }

    private void text(String text) {
        if (text.equals("\r")) {
            column = 0;
        } else if (text.equals("\n")) {
            row++;
            column = 0;
            if (row == rows.size()) {
                rows.add("");
            }
        } else {
            String line = rows.get(row);
            String after = line.length() > column + text.length() ? line.substring(column + text.length()) : "";
            rows.set(row, line.substring(0, column) + text + after);
            column += text.length();
            if (!wrapping) {
                widest = Math.max(widest, Widths.of(rows.get(row)));
            }
        }
    }

    /** What a person sees. */
    List<String> shown() {
        List<String> shown = new ArrayList<>(rows);
        while (!shown.isEmpty() && shown.get(shown.size() - 1).isEmpty()) {
            shown.remove(shown.size() - 1);
        }
        return shown;
    }

    /** All that was ever sent to it. */
    String sent() {
        return sent.toString();
    }

    /** Whether a prompt that follows would stand on a line of its own, below everything, with its cursor seen. */
    boolean isFreeForOthers() {
        return cursorVisible && wrapping && column == 0 && rows.get(row).isEmpty() && row == rows.size() - 1;
    }

    boolean isCursorVisible() {
        return cursorVisible;
    }

    /** The greatest width of a line that was drawn, rather than printed. */
    int widest() {
        return widest;
    }
}
