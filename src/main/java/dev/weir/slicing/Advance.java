package dev.weir.slicing;

import java.math.BigInteger;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the participants of a slice stand once it has committed.
 *
 * <p>Source of the rule: contract, section 3.1.
 *
 * @param position the new position; null: still none
 * @param atEnd whether the source has no further row at or below the ceiling
 * @param skippedWindows how many empty windows the position jumped over, at least zero
 */
public record Advance(@Nullable CursorValue position, boolean atEnd, BigInteger skippedWindows) {

    /**
     * @param lower where the participants stood; null: nowhere
     * @param rowCount how many rows the slice held
     * @param max the greatest cursor among them, floored to the microsecond; empty exactly when there were none
     * @param next the lowest cursor found above the window, floored to the microsecond
     */
    public static Advance of(
            Slice slice,
            @Nullable CursorValue lower,
            long rowCount,
            Optional<CursorValue> max,
            Optional<CursorValue> next) {
        if (rowCount > 0 != max.isPresent()) {
            throw new IllegalArgumentException(rowCount + " rows, greatest cursor " + max);
        }
        if (!(slice instanceof Slice.Window window) || next.isEmpty()) {
            return new Advance(max.orElse(lower), true, BigInteger.ZERO);
        }
        CursorValue upper = window.upper();
        if (rowCount > 0 || window.maxWindow() == null) {
            return new Advance(upper, false, BigInteger.ZERO);
        }
        BigInteger width = window.maxWindow().units();
        BigInteger skipped = next.get()
                .units()
                .subtract(BigInteger.ONE)
                .subtract(upper.units())
                .divide(width);
        return new Advance(upper.plus(skipped.multiply(width)), false, skipped);
    }
}
