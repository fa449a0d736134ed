package dev.weir.state;

import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.Position;
import dev.weir.slicing.PositionKey;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Positions and clocks to test with. */
final class Samples {

    static final Instant NOW = Instant.parse("2026-09-02T09:15:00.118Z");
    static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
    static final CursorType BIGINT = CursorType.of(CursorType.Kind.BIGINT);
    static final String SOURCE = "pg_prod.public.orders";
    static final PositionKey KEY = key("lake.orders_synced");

    private Samples() {}

    static PositionKey key(String sink) {
        return new PositionKey("shop", "orders_out", sink, SOURCE);
    }

    static Position at(@Nullable Long value, String runId) {
        return new Position(
                new Cursor("id", BIGINT), 0, null, value == null ? null : BIGINT.units(value), null, runId, NOW);
    }

    static Moved moved(String sink, long value, String runId) {
        return new Moved(key(sink), at(value, runId));
    }

    static RunRecord run(String runId) {
        return RunRecord.starting(runId, "shop", "run --all", NOW, ProcessIdentity.current());
    }

    static StateStore open(Path weirDir) {
        return StateStore.open(weirDir, CLOCK);
    }
}
