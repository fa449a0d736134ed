package dev.weir.plan;

import dev.weir.slicing.CursorType;
import dev.weir.slicing.LiteralException;
import dev.weir.slicing.Step;
import dev.weir.slicing.Sync;
import org.jspecify.annotations.Nullable;

/** Prints a {@code sync} block that is right for a cursor's type, keeping what is right in the one given. */
final class SyncExample {

    private final CursorType type;
    private final Sync.Text given;

    private SyncExample(CursorType column, Sync.Text given) {
        this.type = given.cursorUnit() == null || column.isTime() ? column : epoch(given.cursorUnit());
        this.given = given;
    }

    private static CursorType epoch(String unit) {
        return CursorType.epoch(unit).orElse(CursorType.of(CursorType.Kind.EPOCH_MS));
    }

    /** @param column the type of the cursor's column */
    static String of(SyncText sync, CursorType column) {
        Sync.Text text = new SyncExample(column, sync.text()).text();
        StringBuilder block =
                new StringBuilder("sync:\n  mode: incremental\n  cursor: " + quoted(sync.cursor()) + "\n");
        line(block, "cursor_unit", text.cursorUnit());
        line(block, "max_window", text.maxWindow());
        line(block, "target", text.target());
        line(block, "target_rows", text.targetRows());
        line(block, "max_window_limit", text.maxWindowLimit());
        line(block, "initial", text.initial());
        line(block, "until", text.until());
        line(block, "delay", text.delay());
        line(block, "lookback", text.lookback());
        line(block, "nulls", text.nulls());
        line(block, "settle", text.settle());
        line(block, "settle_timeout", text.settleTimeout());
        return block.toString();
    }

    /** A block that {@link Sync#parse} takes. */
    private Sync.Text text() {
        String initial = given.initial() == null || isValue(given.initial()) ? given.initial() : start();
        String until = given.until() == null || isStop(given.until()) ? given.until() : stop(initial);
        boolean crossed = initial != null
                && until != null
                && isValue(until)
                && type.parse(until).isBelow(type.parse(initial));
        return new Sync.Text(
                type.isEpoch() ? type.toString() : null,
                isAuto() ? Sync.Text.AUTO : window(given.maxWindow()),
                crossed ? until : initial,
                crossed ? initial : until,
                delay(),
                lookback(),
                nulls(),
                settle(),
                settleTimeout(),
                target(),
                targetRows(),
                isAuto() ? window(given.maxWindowLimit()) : null);
    }

    private @Nullable String window(@Nullable String text) {
        return text == null || isStep(text) ? text : step();
    }

    /** Who names a target means windows whose width is chosen. */
    private boolean isAuto() {
        return given.isAuto() || given.target() != null || given.targetRows() != null || given.maxWindowLimit() != null;
    }

    private @Nullable String target() {
        if (given.target() == null) {
            return null;
        }
        return given.target().matches("[1-9][0-9]{0,3}s|[1-9][0-9]{0,2}m|(?:[1-9]|1[0-9]|2[0-4])h|1d")
                ? given.target()
                : "30s";
    }

    private @Nullable String targetRows() {
        if (!isAuto() || given.target() != null) {
            return null;
        }
        boolean right = given.targetRows() != null && given.targetRows().matches("[1-9][0-9]{0,17}");
        return right ? given.targetRows() : "100000";
    }

    private @Nullable String delay() {
        if (given.delay() == null || !type.isTime()) {
            return null;
        }
        boolean right = given.delay()
                .matches(type.kind() == CursorType.Kind.DATE ? "[0-9]{1,9}[dw]" : "[0-9]{1,9}(ms|s|m|h|d|w)");
        return right ? given.delay() : type.kind() == CursorType.Kind.DATE ? "1d" : "10m";
    }

    private @Nullable String lookback() {
        return given.lookback() == null || isStep(given.lookback()) ? given.lookback() : step();
    }

    private @Nullable String nulls() {
        return given.nulls() == null || given.nulls().matches("warn|fail") ? given.nulls() : "fail";
    }

    private @Nullable String settle() {
        return given.settle() == null || given.settle().matches("auto|off|required") ? given.settle() : "auto";
    }

    private @Nullable String settleTimeout() {
        if (given.settleTimeout() == null) {
            return null;
        }
        return given.settleTimeout().matches("[0-9]{1,9}(ms|s|m|h|d|w)") ? given.settleTimeout() : "30s";
    }

    private boolean isStep(String text) {
        try {
            Step.parse(type, text);
            return true;
        } catch (LiteralException e) {
            return false;
        }
    }

    private boolean isValue(String text) {
        try {
            type.parse(text);
            return true;
        } catch (LiteralException e) {
            return false;
        }
    }

    private boolean isStop(String text) {
        return text.equals("now") ? type.isTime() : isValue(text);
    }

    private String step() {
        if (type.isTime()) {
            return type.kind() == CursorType.Kind.DATE ? "7d" : "1h";
        }
        return isValue("10000") ? "10000" : "10";
    }

    private String start() {
        return type.isTime() ? "2026-01-01" : "0";
    }

    private String stop(@Nullable String initial) {
        if (type.isTime()) {
            return "now";
        }
        boolean fits =
                isValue("5000000") && (initial == null || !type.parse("5000000").isBelow(type.parse(initial)));
        return fits ? "5000000" : type.greatest().toString();
    }

    private static void line(StringBuilder block, String key, @Nullable String value) {
        if (value != null) {
            block.append("  ")
                    .append(key)
                    .append(": ")
                    .append(value.equals("now") ? "now" : quoted(value))
                    .append('\n');
        }
    }

    private static String quoted(String text) {
        return text.matches("[A-Za-z_][A-Za-z0-9_]*")
                ? text
                : '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
