package dev.weir.state;

import dev.weir.slicing.Cursor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Plans over numbers, in chunks of ten, to test with. */
final class PlanSamples {

    static final String ID = "0123456789abcdef";
    static final Cursor CURSOR = new Cursor("id", Samples.BIGINT);

    private PlanSamples() {}

    static BackfillRecord plan(int chunks) {
        return plan(ID, chunks, 0);
    }

    static BackfillRecord plan(String backfillId, int chunks, long restart) {
        Map<String, String> inputs = new LinkedHashMap<>();
        inputs.put("sql", "SELECT *\nFROM pg.orders");
        inputs.put("keys", "");
        inputs.put("a", "ü'\"");
        return new BackfillRecord(
                "shop",
                backfillId,
                "orders_out",
                Samples.BIGINT.units(0),
                Samples.BIGINT.units(10L * chunks),
                "10",
                CURSOR,
                "UTC",
                null,
                "f" + restart,
                inputs,
                restart,
                chunks,
                Samples.NOW,
                "backfill orders_out --from 0");
    }

    static List<ChunkRecord> chunks(int count) {
        List<ChunkRecord> chunks = new ArrayList<>();
        for (int chunk = 0; chunk < count; chunk++) {
            chunks.add(ChunkRecord.pending(
                    id(chunk),
                    Samples.BIGINT.units(10L * chunk),
                    Samples.BIGINT.units(10L * (chunk + 1)),
                    "run-" + id(chunk)));
        }
        return chunks;
    }

    static String id(int chunk) {
        return String.format("%06d", chunk);
    }
}
