package dev.weir.project;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the whole process may take: Java's heap, Java itself, and DuckDB, which gets what the others leave.
 *
 * <p>The heap's bound is set when Java starts: {@code bin/weir} looks {@code memory} up, with the same quarter.
 *
 * @param bytes at least {@link #LEAST}
 */
public record Memory(long bytes) {

    /** With less DuckDB has no room to work in: 32 MB. */
    public static final Memory LEAST = new Memory(256_000_000);

    private static final long LEAST_HEAP = 64_000_000;

    /** Java's code, its threads, and the libraries: measured, and rounded up. */
    private static final long JAVA = 160_000_000;

    private static final Pattern SPELLED = Pattern.compile("([0-9.]+)\\s*([KMGT])(i?)B");
    private static final String UNITS = "KMGT";

    /**
     * As it is written in weir.yml; a KB is 1000 bytes, a KiB 1024. Empty: it is less than the least, or more than a number
     * holds.
     *
     * @param text of the shape that {@code memory} has
     */
    static Optional<Memory> parse(String text) {
        Matcher parts = SPELLED.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("no memory: " + text);
        }
        BigDecimal unit = BigDecimal.valueOf(parts.group(3).isEmpty() ? 1000 : 1024);
        BigDecimal bytes = new BigDecimal(parts.group(1)).multiply(unit.pow(UNITS.indexOf(parts.group(2)) + 1));
        boolean fits = bytes.compareTo(BigDecimal.valueOf(LEAST.bytes)) >= 0
                && bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0;
        return fits ? Optional.of(new Memory(bytes.longValue())) : Optional.empty();
    }

    /** What is Java's heap. */
    public long heap() {
        return Math.max(bytes / 4, LEAST_HEAP);
    }

    /** What is DuckDB's. */
    public long duckDb() {
        return bytes - heap() - JAVA;
    }
}
