package dev.weir.run;

import dev.weir.slicing.Chunk;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.HeldBack;
import dev.weir.slicing.Sample;
import dev.weir.slicing.Spelling;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Which chunks of a backfill may be read: those below what has settled in each of its sources.
 *
 * <p>What time it is, and which transactions are open, is found out before anything is read. A chunk of numbers above what
 * had settled by then waits for the writers that are open when it starts. Thread-safe. Source of the rule: contract,
 * sections 3.2 and 6.
 */
final class ChunkReach {

    private final Bindings bindings;
    private final BackfillTarget target;
    private final Instant now;
    private final Settling settling;
    private final Consumer<String> notes;
    private final Map<String, SourceTime> times;
    private final Map<String, CursorValue> newest = new HashMap<>();
    private volatile boolean inVain;

    /** @param bindings whose time cursors are bounded by now */
    ChunkReach(Bindings bindings, BackfillTarget target, Instant now, Settling settling, Consumer<String> notes) {
        this.bindings = bindings;
        this.target = target;
        this.now = now;
        this.settling = settling;
        this.notes = notes;
        this.times = SourceTime.of(bindings, now, settling, notes);
    }

    /**
     * Waits for the writers a chunk has to wait for.
     *
     * @return why it may not be read yet; empty: it may
     * @throws dev.weir.fault.RunException when it cannot be found out
     */
    Optional<String> waitFor(Chunk chunk) {
        for (BoundSource source : target.scoped()) {
            Optional<String> why = source.incremental().isEmpty() ? endsInFuture(chunk) : waitFor(source, chunk);
            if (why.isPresent()) {
                return why;
            }
        }
        return Optional.empty();
    }

    /** What tokens scope cannot tell of open transactions; only that it is not over yet. */
    private Optional<String> endsInFuture(Chunk chunk) {
        if (!chunk.to().type().isTime()
                || !chunk.to()
                        .toLocalDateTime()
                        .isAfter(now.atOffset(ZoneOffset.UTC).toLocalDateTime())) {
            return Optional.empty();
        }
        return Optional.of("it ends after now, " + now.truncatedTo(ChronoUnit.SECONDS));
    }

    /** Whether rows of the chunk may have been committed after the time of its sources was found out, or that is not known. */
    boolean readsLateComers(Chunk chunk) {
        return target.scoped().stream().anyMatch(source -> {
            SourceTime time = times.get(source.node().id());
            return time == null || !isSettled(time, chunk);
        });
    }

    private static boolean isSettled(SourceTime time, Chunk chunk) {
        return !time.readsLateComers() && isBelow(time, chunk);
    }

    private static boolean isBelow(SourceTime time, Chunk chunk) {
        return !time.isClosed()
                && time.ceiling()
                        .filter(ceiling -> chunk.range().to().isAbove(ceiling))
                        .isEmpty();
    }

    private Optional<String> waitFor(BoundSource source, Chunk chunk) {
        String id = source.node().id();
        SourceTime time = times.get(id);
        time.check();
        boolean countsTime = source.incremental().orElseThrow().cursor().type().isTime();
        if (isBelow(time, chunk)) {
            return Optional.empty();
        }
        if (countsTime) {
            return Optional.of(why(source, time));
        }
        // Writers that were waited for in vain are not waited for again: they are looked at.
        Bindings asked = inVain ? bindings.impatient() : bindings;
        SourceTime fresh = SourceTime.of(asked, now, settling, note -> {}).get(id);
        fresh.check();
        fresh.settle();
        if (!isBelow(fresh, chunk) && fresh.heldBack().isPresent()) {
            inVain = true;
            return Optional.of(why(source, fresh));
        }
        tellNewest(source, fresh, chunk);
        return Optional.empty();
    }

    private static String why(BoundSource source, SourceTime time) {
        String upTo =
                time.ceiling().map(ceiling -> "up to " + Spelling.of(ceiling)).orElse("not at all");
        return source.node().key() + " may be read " + upTo + " yet: "
                + time.heldBack().map(HeldBack::toString).orElse("later rows may still be committed");
    }

    /** Once: rows that arrive later above the newest one are not waited for. */
    private synchronized void tellNewest(BoundSource source, SourceTime time, Chunk chunk) {
        Optional<CursorValue> highest = time.sample()
                .filter(Sample.OfNumbers.class::isInstance)
                .flatMap(sample -> ((Sample.OfNumbers) sample).highest());
        boolean above =
                highest.filter(value -> chunk.range().to().isAbove(value)).isPresent();
        if (above && newest.putIfAbsent(source.node().id(), highest.get()) == null) {
            notes.accept(source.node().key() + ": its newest row is at " + Spelling.of(highest.get())
                    + "; rows above it that arrive after their chunk was read are not waited for");
        }
    }
}
