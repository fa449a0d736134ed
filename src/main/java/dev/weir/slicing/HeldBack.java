package dev.weir.slicing;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Why a source is not read as far as it could be: lower cursors may still be committed.
 *
 * <p>Immutable and thread-safe. Source of the rule: contract, section 3.2.
 *
 * @param reason {@code open transaction}, {@code prepared transaction} or {@code writers still open after 30s}
 * @param since the earliest time known of the sessions; null: none is
 * @param sessions who holds it back, for a person; the first ten
 */
public record HeldBack(String reason, @Nullable Instant since, List<String> sessions) {

    private static final int SHOWN = 10;

    public HeldBack {
        sessions = List.copyOf(sessions);
    }

    static HeldBack by(String reason, List<Sample.Session> sessions) {
        Instant since = sessions.stream()
                .map(Sample.Session::since)
                .filter(Objects::nonNull)
                .min(Instant::compareTo)
                .orElse(null);
        return new HeldBack(
                reason,
                since,
                sessions.stream().limit(SHOWN).map(Sample.Session::who).toList());
    }

    /** In words: {@code prepared transaction since 2026-11-30T10:00:00Z: 'batch' of payroll}. */
    @Override
    public String toString() {
        return reason
                + (since == null ? "" : " since " + since)
                + (sessions.isEmpty() ? "" : ": " + String.join("; ", sessions));
    }
}
