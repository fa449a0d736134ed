package dev.weir.run;

import dev.weir.connector.Snapshot;
import dev.weir.fault.Fault;
import dev.weir.fault.RunException;
import dev.weir.fault.WeirException;
import dev.weir.plan.Plan;
import dev.weir.plan.Scoping;
import dev.weir.slicing.Chunk;
import dev.weir.slicing.ChunkStatus;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.Resumption;
import dev.weir.state.ChunkRecord;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Carries out {@code weir backfill --dry-run}: says what the backfill would do. Reads, never writes. */
public final class BackfillForecaster {

    /** So many questions are asked about rows, however many chunks there are. */
    private static final int QUESTIONS = 200;

    private final Clock clock;
    private final Cancellation cancellation;
    private final Consumer<String> notes;

    /** @param notes takes what a person should know, a sentence each */
    public BackfillForecaster(Clock clock, Cancellation cancellation, Consumer<String> notes) {
        this.clock = clock;
        this.cancellation = cancellation;
        this.notes = notes;
    }

    /**
     * What it would do.
     *
     * @throws dev.weir.fault.UsageException when the project, the bounds or the window are wrong
     * @throws RunException when a source or a sink did not answer
     */
    public BackfillForecast forecast(Plan whole, BackfillOptions options) {
        Scoping scoping = Scoping.of(whole, options.pipeline(), options.cursor(), options.into());
        BackfillBinder binder = new BackfillBinder(scoping, whole, options);
        try (Looking looking = new Looking(whole, binder.provisional(), clock, cancellation)) {
            BackfillTarget target = binder.bind(looking.bind(notes));
            BackfillStart.Found found =
                    BackfillStart.Found.of(looking.state(), target, new ChunkLedger(looking.scope(), target));
            Map<Integer, Long> rows = new HashMap<>();
            boolean exact = estimate(looking, target, rows);
            return new BackfillForecast(
                    target.identity(),
                    target.cursor(),
                    target.pipeline().sinks().stream()
                            .map(sink -> sink.node().id())
                            .toList(),
                    chunks(target, found, rows),
                    exact,
                    refusal(whole, target, found, options, looking));
        }
    }

    private static Optional<String> refusal(
            Plan whole, BackfillTarget target, BackfillStart.Found found, BackfillOptions options, Looking looking) {
        boolean othersLive = looking.state()
                .map(state -> state.planLocks().lives(target.project(), target.id()))
                .orElse(false);
        try {
            Resumption resumption = new BackfillStart(
                            target, options.wish(), whole.settings().backfill().onExisting())
                    .decide(found, othersLive);
            return new AppendGuard(looking.scope(), target)
                    .beforehand(found.left(target, resumption))
                    .map(Fault::toString);
        } catch (WeirException e) {
            return Optional.of(e.getMessage());
        }
    }

    private static List<BackfillForecast.OfChunk> chunks(
            BackfillTarget target, BackfillStart.Found found, Map<Integer, Long> rows) {
        Map<String, ChunkStatus> remembered = new HashMap<>();
        for (ChunkRecord chunk : found.chunks()) {
            // What state calls completed and a sink lacks is replayed.
            remembered.put(
                    chunk.chunkId(), chunk.status() == ChunkStatus.COMPLETED ? ChunkStatus.PENDING : chunk.status());
        }
        List<BackfillForecast.OfChunk> chunks = new ArrayList<>();
        for (Chunk chunk : target.plan().chunks()) {
            ChunkStatus status = found.completed().containsKey(chunk.id())
                    ? ChunkStatus.COMPLETED
                    : remembered.getOrDefault(chunk.id(), ChunkStatus.PENDING);
            Long estimate = rows.get(chunk.number());
            chunks.add(new BackfillForecast.OfChunk(
                    chunk,
                    target.identity().runId(chunk),
                    status,
                    estimate == null ? OptionalLong.empty() : OptionalLong.of(estimate)));
        }
        return chunks;
    }

    /**
     * Estimates the rows of each chunk, where every source is scoped by a cursor.
     *
     * @return whether each chunk was counted by itself
     */
    private static boolean estimate(Looking looking, BackfillTarget target, Map<Integer, Long> rows) {
        int count = target.plan().count();
        int together = (count + QUESTIONS - 1) / QUESTIONS;
        if (target.scoped().stream().anyMatch(source -> source.incremental().isEmpty())) {
            return false;
        }
        for (BoundSource source : target.scoped()) {
            looking.reading(source, opened -> {
                try (Snapshot snapshot = opened.open(source.request())) {
                    for (int first = 0; first < count; first += together) {
                        int last = Math.min(first + together, count) - 1;
                        CursorRange range = CursorRange.startingAt(
                                target.plan().chunk(first).range().from(),
                                target.plan().chunk(last).range().to());
                        long found = snapshot.count(range, Long.MAX_VALUE);
                        spread(found, first, last, rows);
                    }
                }
                return true;
            });
        }
        return together == 1;
    }

    private static void spread(long found, int first, int last, Map<Integer, Long> rows) {
        int chunks = last - first + 1;
        for (int i = 0; i < chunks; i++) {
            long share = found / chunks + (i < found % chunks ? 1 : 0);
            rows.merge(first + i, share, Long::sum);
        }
    }
}
