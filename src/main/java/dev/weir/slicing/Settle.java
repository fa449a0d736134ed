package dev.weir.slicing;

import java.math.BigInteger;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Whether a source is read only as far as nothing lower can still be committed.
 *
 * <p>Immutable and thread-safe. Source of the rule: contract, section 3.2.
 *
 * @param timeout how long writers under way are waited for, at least zero
 */
public record Settle(Mode mode, Duration timeout) {

    /** What is done about transactions that may still commit lower values. */
    public enum Mode {
        /** They are waited out where the source can tell of them. */
        AUTO,
        /** Nothing. */
        OFF,
        /** They are waited out, and a source that cannot tell of them is not read. */
        REQUIRED
    }

    private static final Duration USUAL_TIMEOUT = Duration.ofSeconds(30);
    private static final BigInteger LONGEST_MICROS =
            BigInteger.valueOf(Duration.ofDays(365).toMillis() * 1_000);

    /** Where nothing is said. */
    public static final Settle USUAL = new Settle(Mode.AUTO, USUAL_TIMEOUT);

    /** @throws Sync.SyncException for the first key that cannot be taken */
    static Settle parse(@Nullable String mode, @Nullable String timeout) {
        return new Settle(mode == null ? Mode.AUTO : mode(mode), timeout == null ? USUAL_TIMEOUT : timeout(timeout));
    }

    private static Mode mode(String text) {
        return switch (text) {
            case "auto" -> Mode.AUTO;
            case "off" -> Mode.OFF;
            case "required" -> Mode.REQUIRED;
            default ->
                throw new Sync.SyncException(
                        "settle", "'" + text + "' is no way to settle: write auto, off or required");
        };
    }

    private static Duration timeout(String text) {
        try {
            return Duration.of(Step.micros(text).min(LONGEST_MICROS).longValueExact(), ChronoUnit.MICROS);
        } catch (LiteralException e) {
            throw new Sync.SyncException("settle_timeout", e.getMessage());
        }
    }
}
