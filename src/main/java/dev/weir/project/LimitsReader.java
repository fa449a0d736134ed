package dev.weir.project;

import dev.weir.fault.Code;
import dev.weir.slicing.Step;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Reads what a connection says of how it is to be used: {@code retry}, {@code timeout} and the like. */
final class LimitsReader {

    private static final Map<String, Duration> PERIODS =
            Map.of("s", Duration.ofSeconds(1), "m", Duration.ofMinutes(1), "h", Duration.ofHours(1));
    private static final BigInteger LONGEST_MICROS = BigInteger.valueOf(86_400_000_000L);

    private final Fields fields;
    private final String path;
    private final Problems problems;

    LimitsReader(Fields fields, String path, Problems problems) {
        this.fields = fields;
        this.path = path;
        this.problems = problems;
    }

    Limits read() {
        Limits.Retry retry = fields.mapping("retry")
                .map(keyed -> retry(new Fields(keyed.value(), path + ".retry", Grammar.RETRY, problems)))
                .orElse(Limits.Retry.DEFAULT);
        Limits.Breaker breaker = fields.mapping("breaker")
                .map(keyed -> breaker(new Fields(keyed.value(), path + ".breaker", Grammar.BREAKER, problems)))
                .orElse(Limits.Breaker.DEFAULT);
        return new Limits(retry, fields.count("max_concurrency"), rate(), duration(fields, "timeout"), breaker);
    }

    private static Limits.Retry retry(Fields keys) {
        Limits.Retry usual = Limits.Retry.DEFAULT;
        int attempts = keys.count("attempts").orElse(usual.attempts());
        Duration delay = duration(keys, "delay").orElse(usual.delay());
        Optional<Duration> longest = duration(keys, "max_delay");
        keys.refuseOthers(Code.UNKNOWN_KEY);
        if (longest.isPresent() && longest.get().compareTo(delay) < 0) {
            keys.scalar("max_delay")
                    .ifPresent(keyed -> keys.check(
                            "max_delay", keyed.value(), false, "make it at least as long as the first delay"));
        }
        Duration usualLongest = usual.maxDelay().compareTo(delay) < 0 ? delay : usual.maxDelay();
        return new Limits.Retry(attempts, delay, longest.orElse(usualLongest));
    }

    private static Limits.Breaker breaker(Fields keys) {
        Limits.Breaker usual = Limits.Breaker.DEFAULT;
        int failures = keys.count("failures").orElse(usual.failures());
        Duration cooldown = duration(keys, "cooldown").orElse(usual.cooldown());
        keys.refuseOthers(Code.UNKNOWN_KEY);
        return new Limits.Breaker(failures, cooldown);
    }

    private static Optional<Duration> duration(Fields keys, String key) {
        return keys.spelled(key).map(Keyed::value).flatMap(scalar -> {
            BigInteger micros = Step.micros(scalar.text());
            boolean right = micros.signum() > 0 && micros.compareTo(LONGEST_MICROS) <= 0;
            return keys.check(key, scalar, right, keys.remedy(key))
                    ? Optional.of(Duration.ofMillis(micros.longValueExact() / 1_000))
                    : Optional.empty();
        });
    }

    private Optional<Limits.Rate> rate() {
        return fields.spelled("rate_limit").map(Keyed::value).map(scalar -> {
            String[] parts = scalar.text().split("/");
            return new Limits.Rate(Integer.parseInt(parts[0]), PERIODS.get(parts[1]));
        });
    }
}
