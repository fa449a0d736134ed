package dev.weir.run;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * Names the runs of an invocation: the time they began and four random hex digits, as in {@code
 * 20260902T091500118Z-9a1c}. They sort in their order, whatever the clock does meanwhile. Thread-safe.
 */
final class RunIds {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssSSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Clock clock;
    private final SecureRandom random = new SecureRandom();
    private Instant last = Instant.MIN;

    RunIds(Clock clock) {
        this.clock = clock;
    }

    synchronized String next() {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        last = now.isAfter(last) ? now : last.plusMillis(1);
        return TIME.format(last) + "-" + String.format(Locale.ROOT, "%04x", random.nextInt(0x10000));
    }
}
