package dev.weir.event;

import java.math.BigInteger;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * How far a backfill has come: its chunks, however many are in flight at once. Times are nanoseconds of one clock that
 * never steps. Used under its owner's lock.
 */
final class BackfillProgress {

    /** Fewer chunks than these are no ground for a forecast. */
    private static final int HONEST_CHUNKS = 3;

    private final String pipeline;
    private final int chunks;
    private final Speed chunkSpeed = new Speed();
    private final Speed rowSpeed = new Speed();
    private final BitSet done = new BitSet();
    private final Set<Integer> inFlight = new HashSet<>();
    /** Of the attempts in flight, by run and source. */
    private final Map<String, Map<String, Long>> rowsUnderWay = new HashMap<>();

    private long begun;
    private long lastCompleted;
    private int completedHere;
    private boolean failed;

    /** @param pipeline as it is shown */
    BackfillProgress(String pipeline, int chunks, long nanos) {
        this.pipeline = pipeline;
        this.chunks = chunks;
        this.begun = nanos;
        this.lastCompleted = nanos;
    }

    void started(Event.ChunkStarted event, long nanos) {
        if (inFlight.isEmpty() && completedHere == 0) {
            begun = nanos;
            lastCompleted = nanos;
        }
        inFlight.add(event.chunk().number());
        rowsUnderWay.put(event.runId(), new HashMap<>());
    }

    void progressed(Event.NodeProgress event) {
        Map<String, Long> rows = rowsUnderWay.get(event.runId());
        if (rows != null) {
            rows.put(event.nodeId(), event.rows());
        }
    }

    void completed(Event.ChunkCompleted event, long nanos) {
        int number = event.chunk().number();
        inFlight.remove(number);
        rowsUnderWay.remove(event.runId());
        failed |= event.outcome() instanceof ChunkOutcome.Failed;
        if (event.outcome() instanceof ChunkOutcome.Skipped) {
            done.set(number);
        } else if (event.outcome() instanceof ChunkOutcome.Completed completed) {
            done.set(number);
            completedHere++;
            double seconds = Amounts.seconds(nanos - lastCompleted);
            chunkSpeed.add(1, seconds);
            rowSpeed.add(completed.rows(), seconds);
            lastCompleted = nanos;
        }
    }

    String pipeline() {
        return pipeline;
    }

    int chunks() {
        return chunks;
    }

    /** Completed, by whomever. */
    int done() {
        return done.cardinality();
    }

    int inFlight() {
        return inFlight.size();
    }

    boolean isDone() {
        return done() == chunks;
    }

    boolean isFailed() {
        return failed;
    }

    Share share() {
        return Share.of(BigInteger.valueOf(done()), BigInteger.valueOf(chunks));
    }

    /** Of the chunks that were completed; while there is none, of those in flight. */
    double rowsPerSecond(long nanos) {
        if (completedHere > 0) {
            return rowSpeed.perSecond();
        }
        double seconds = Amounts.seconds(nanos - begun);
        long rows = rowsUnderWay.values().stream()
                .flatMap(of -> of.values().stream())
                .mapToLong(Long::longValue)
                .sum();
        return seconds > 0 ? rows / seconds : 0;
    }

    /** Seconds until all chunks are done at the present speed; empty while nothing honest can be said. */
    OptionalDouble secondsLeft(long nanos) {
        double speed = chunkSpeed.perSecond();
        if (completedHere < HONEST_CHUNKS || speed <= 0) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of((chunks - done()) / speed - Amounts.seconds(nanos - lastCompleted));
    }
}
