package dev.weir.project;

import dev.weir.fault.Code;
import dev.weir.slicing.Resumption.OnExisting;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads the block {@code backfill:} of weir.yml. */
final class BackfillReader {

    private final Fields fields;

    BackfillReader(Value.Mapping mapping, Problems problems) {
        this.fields = new Fields(mapping, "backfill", Grammar.BACKFILL, problems);
    }

    BackfillDefaults read() {
        Optional<String> window =
                fields.spelled("window").map(keyed -> keyed.value().text());
        OptionalInt concurrency = fields.count("concurrency");
        Optional<ZoneId> timezone = fields.scalar("timezone").map(Keyed::value).flatMap(this::zone);
        OnExisting onExisting = fields.word("on_existing")
                .map(keyed -> OnExisting.valueOf(keyed.value().text().toUpperCase(Locale.ROOT)))
                .orElse(OnExisting.RESUME);
        fields.refuseOthers(Code.UNKNOWN_KEY);
        return new BackfillDefaults(window, concurrency, timezone, onExisting);
    }

    private Optional<ZoneId> zone(Value.Scalar written) {
        try {
            return Optional.of(ZoneId.of(written.text()));
        } catch (DateTimeException e) {
            fields.check("timezone", written, false, "write a name as in UTC or Europe/Berlin");
            return Optional.empty();
        }
    }
}
