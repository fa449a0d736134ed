package dev.weir.run;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Names runs: the time they began and four random hex digits, as in {@code 20260902T091500118Z-9a1c}. */
final class RunIds {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssSSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    RunIds(Clock clock) {
        this.clock = clock;
    }

    String next() {
        return TIME.format(clock.instant()) + "-" + String.format(Locale.ROOT, "%04x", random.nextInt(0x10000));
    }
}
