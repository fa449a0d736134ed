package dev.weir.project;

import dev.weir.fault.Code;
import dev.weir.slicing.Resumption.OnExisting;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the block {@code backfill:} of weir.yml. */
final class BackfillReader {

    private static final Pattern WINDOW =
            Pattern.compile("(?=.*[1-9])(?:[0-9]{1,100}(?:\\.[0-9]{1,100})?|[0-9]{1,100}(?:s|m|h|d|w|mo))");
    private static final Pattern CONCURRENCY = Pattern.compile("0*(?:[1-9]|[1-5][0-9]|6[0-4])");

    private final Fields fields;
    private final Problems problems;

    BackfillReader(Value.Mapping mapping, Problems problems) {
        this.fields = new Fields(mapping, "backfill", problems);
        this.problems = problems;
    }

    BackfillDefaults read() {
        Optional<String> window = read(
                "window",
                text -> WINDOW.matcher(text).matches() ? text : null,
                "write a duration, as in 6h, 1d, 1w or 1mo, or a number for a cursor of numbers");
        Optional<Integer> concurrency = read(
                "concurrency",
                text -> CONCURRENCY.matcher(text).matches() ? Integer.valueOf(text) : null,
                "write a whole number from 1 to 64");
        Optional<ZoneId> timezone = read("timezone", BackfillReader::zone, "write a name as in UTC or Europe/Berlin");
        Optional<OnExisting> onExisting = read("on_existing", BackfillReader::onExisting, "write resume or error");
        fields.refuseOthers(Code.UNKNOWN_KEY);
        return new BackfillDefaults(
                window,
                concurrency.map(OptionalInt::of).orElse(OptionalInt.empty()),
                timezone,
                onExisting.orElse(OnExisting.RESUME));
    }

    /** @param reader gives null for what the key cannot take */
    private <T> Optional<T> read(String key, Function<String, @Nullable T> reader, String right) {
        Optional<Value.Scalar> scalar = fields.scalar(key).map(Keyed::value);
        Optional<T> value = scalar.map(Value.Scalar::text).map(reader);
        if (scalar.isPresent() && value.isEmpty()) {
            problems.add(
                    Code.BAD_VALUE,
                    scalar.get().place(),
                    "backfill." + key + " is '" + scalar.get().text() + "'",
                    right);
        }
        return value;
    }

    private static @Nullable ZoneId zone(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static @Nullable OnExisting onExisting(String text) {
        return switch (text) {
            case "resume" -> OnExisting.RESUME;
            case "error" -> OnExisting.ERROR;
            default -> null;
        };
    }
}
