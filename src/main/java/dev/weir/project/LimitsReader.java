package dev.weir.project;

import dev.weir.fault.Code;
import dev.weir.slicing.LiteralException;
import dev.weir.slicing.Step;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what a connection says of how it is to be used: {@code retry}, {@code timeout} and the like. */
final class LimitsReader {

    private static final Pattern COUNT = Pattern.compile("0*[1-9][0-9]{0,3}");
    private static final Pattern RATE = Pattern.compile("0*([1-9][0-9]{0,5})/([smh])");
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
                .map(keyed -> retry(new Fields(keyed.value(), path + ".retry", problems)))
                .orElse(Limits.Retry.DEFAULT);
        Limits.Breaker breaker = fields.mapping("breaker")
                .map(keyed -> breaker(new Fields(keyed.value(), path + ".breaker", problems)))
                .orElse(Limits.Breaker.DEFAULT);
        return new Limits(
                retry, count(fields, path, "max_concurrency"), rate(), duration(fields, path, "timeout"), breaker);
    }

    private Limits.Retry retry(Fields keys) {
        Limits.Retry usual = Limits.Retry.DEFAULT;
        int attempts = count(keys, path + ".retry", "attempts").orElse(usual.attempts());
        Duration delay = duration(keys, path + ".retry", "delay").orElse(usual.delay());
        Optional<Duration> longest = duration(keys, path + ".retry", "max_delay");
        keys.refuseOthers(Code.UNKNOWN_KEY);
        if (longest.isPresent() && longest.get().compareTo(delay) < 0) {
            keys.scalar("max_delay")
                    .ifPresent(keyed -> problems.add(
                            Code.BAD_VALUE,
                            keyed.value().place(),
                            path + ".retry.max_delay is '" + keyed.value().text() + "', shorter than the first delay",
                            "make it at least as long as delay"));
        }
        Duration usualLongest = usual.maxDelay().compareTo(delay) < 0 ? delay : usual.maxDelay();
        return new Limits.Retry(attempts, delay, longest.orElse(usualLongest));
    }

    private Limits.Breaker breaker(Fields keys) {
        String in = path + ".breaker";
        Limits.Breaker usual = Limits.Breaker.DEFAULT;
        int failures = count(keys, in, "failures").orElse(usual.failures());
        Duration cooldown = duration(keys, in, "cooldown").orElse(usual.cooldown());
        keys.refuseOthers(Code.UNKNOWN_KEY);
        return new Limits.Breaker(failures, cooldown);
    }

    private OptionalInt count(Fields keys, String in, String key) {
        return keys.scalar(key)
                .map(Keyed::value)
                .filter(scalar -> check(
                        COUNT.matcher(scalar.text()).matches(),
                        scalar,
                        in + "." + key,
                        "write a whole number from 1 to 9999"))
                .map(scalar -> OptionalInt.of(Integer.parseInt(scalar.text())))
                .orElse(OptionalInt.empty());
    }

    private Optional<Duration> duration(Fields keys, String in, String key) {
        return keys.scalar(key).map(Keyed::value).flatMap(scalar -> {
            Optional<BigInteger> micros = micros(scalar.text())
                    .filter(length -> length.signum() > 0 && length.compareTo(LONGEST_MICROS) <= 0);
            check(
                    micros.isPresent(),
                    scalar,
                    in + "." + key,
                    "write digits and one of ms s m h, as in 500ms or 30s, at most a day");
            return micros.map(length -> Duration.ofMillis(length.longValueExact() / 1_000));
        });
    }

    private static Optional<BigInteger> micros(String text) {
        try {
            return Optional.of(Step.micros(text));
        } catch (LiteralException e) {
            return Optional.empty();
        }
    }

    private Optional<Limits.Rate> rate() {
        return fields.scalar("rate_limit").map(Keyed::value).flatMap(scalar -> {
            Matcher matcher = RATE.matcher(scalar.text());
            boolean right = check(
                    matcher.matches(),
                    scalar,
                    path + ".rate_limit",
                    "write how many in a second, a minute or an hour, as in 10/s, 100/m or 1000/h");
            return right
                    ? Optional.of(new Limits.Rate(Integer.parseInt(matcher.group(1)), PERIODS.get(matcher.group(2))))
                    : Optional.empty();
        });
    }

    private boolean check(boolean right, Value.Scalar scalar, String what, String remedy) {
        if (!right) {
            problems.add(Code.BAD_VALUE, scalar.place(), what + " is '" + scalar.text() + "'", remedy);
        }
        return right;
    }
}
