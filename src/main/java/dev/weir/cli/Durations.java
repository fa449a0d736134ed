package dev.weir.cli;

import dev.weir.slicing.LiteralException;
import dev.weir.slicing.Step;
import java.math.BigInteger;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads durations on the command line as they are written in a project: {@code 500ms}, {@code 90s}, {@code 1h}. */
final class Durations implements ITypeConverter<Duration> {

    private static final BigInteger LONGEST = BigInteger.valueOf(365L * 86_400_000_000L);

    @Override
    public Duration convert(String text) {
        try {
            BigInteger micros = Step.micros(text);
            if (micros.compareTo(LONGEST) > 0) {
                throw new TypeConversionException("'" + text + "' is longer than a year");
            }
            return Duration.ofNanos(micros.longValueExact() * 1_000);
        } catch (LiteralException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
