package dev.weir.plan;

import dev.weir.fault.Code;
import dev.weir.fault.UsageException;
import dev.weir.project.Problems;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.Sync;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a source's {@code sync} block by the type of its cursor: at plan time when the type is declared, else by the run
 * once the catalog told it. Source of the rules: contract, section 3.
 */
public final class SyncCheck {

    /** Numbers whose own type is wider than any that is windowed. */
    private static final Pattern WIDE = Pattern.compile("(?i)(u?huge(?:int|_text))|(?:numeric|decimal).*");

    private SyncCheck() {}

    /**
     * The block of an incremental source.
     *
     * @param duckType the DuckDB type the cursor is read as
     * @throws UsageException {@code WR0213} when values of that type cannot be windowed, or the block contradicts the
     *     type or itself
     */
    public static Sync parse(SourceNode source, String duckType) {
        Problems problems = new Problems();
        Optional<Sync> sync = read(source, duckType, problems);
        problems.throwIfAny();
        return sync.orElseThrow();
    }

    /** The block of an incremental source; empty, and a problem, when it cannot be right. */
    static Optional<Sync> read(SourceNode source, String duckType, Problems problems) {
        SyncText sync =
                source.sync().orElseThrow(() -> new IllegalArgumentException(source.key() + " is not incremental"));
        Optional<CursorType> type = CursorType.named(duckType);
        if (type.isEmpty()) {
            problems.add(
                    Code.BAD_WINDOW,
                    sync.place(),
                    source.key() + ": the cursor " + sync.cursor() + " is a " + duckType
                            + ", and its values cannot be windowed exactly",
                    remedy(sync, duckType));
            return Optional.empty();
        }
        try {
            return Optional.of(Sync.parse(type.get(), sync.text()));
        } catch (Sync.SyncException e) {
            problems.add(
                    Code.BAD_WINDOW,
                    sync.placeOf(e.key()),
                    source.key() + ": sync." + e.key() + ": " + e.getMessage(),
                    "a block that is right for " + sync.cursor() + " (" + type.get() + "):\n"
                            + SyncExample.of(sync, type.get()).indent(4).stripTrailing());
            return Optional.empty();
        }
    }

    private static String remedy(SyncText sync, String duckType) {
        Matcher wide = WIDE.matcher(duckType);
        if (wide.matches()) {
            return "say how many digits it has, under columns: with the others to read, as in { " + sync.cursor()
                    + ": \"" + (wide.group(1) == null ? "decimal(38,6)" : "decimal(38,0)") + "\" }";
        }
        return sync.cursorUnit().isPresent()
                ? "cursor_unit is for a column of integers or decimal(p,s): take one as the cursor"
                : "take a column of integers, decimal(p,s), date, timestamp or timestamptz as the cursor";
    }
}
