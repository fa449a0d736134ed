package dev.weir.run;

import dev.weir.connector.Sink;
import dev.weir.connector.TableName;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.slicing.Chunk;
import dev.weir.slicing.ChunkKey;
import dev.weir.slicing.ChunkMark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What the sinks of a backfill keep of its chunks: the truth about which are completed. A chunk is when every one of its
 * sinks keeps it. Asks, never writes. Thread-safe.
 *
 * <p>Source of the rule: contract, section 6.
 */
final class ChunkLedger {

    private final Scope scope;
    private final BackfillTarget target;

    ChunkLedger(Scope scope, BackfillTarget target) {
        this.scope = scope;
        this.target = target;
    }

    /** What one sink keeps, of every restart. */
    private record OfSink(BoundSink sink, List<ChunkMark> marks, boolean hasRows) {}

    /** What all sinks kept when they were asked. */
    static final class Look {

        private final List<OfSink> sinks;

        private Look(List<OfSink> sinks) {
            this.sinks = sinks;
        }

        /** Whether any sink keeps a chunk of the plan. */
        boolean knowsPlan() {
            return sinks.stream().anyMatch(sink -> !sink.marks().isEmpty());
        }

        /** The highest restart number that a sink keeps; 0 where none keeps any. */
        long restart() {
            return sinks.stream()
                    .flatMap(sink -> sink.marks().stream())
                    .mapToLong(mark -> mark.key().restart())
                    .max()
                    .orElse(0);
        }

        /** Whether a sink keeps a chunk of that restart that was made of other inputs. */
        boolean hasOtherInputs(long restart, String fingerprint) {
            return sinks.stream()
                    .flatMap(sink -> sink.marks().stream())
                    .anyMatch(mark -> mark.key().restart() == restart
                            && !mark.fingerprint().equals(fingerprint));
        }

        /** Whether a sink's table holds rows, of whomever. */
        boolean hasRows(BoundSink sink) {
            return sinks.stream().anyMatch(one -> one.sink().name().equals(sink.name()) && one.hasRows());
        }

        /** The chunks that every sink keeps, by id, with the rows of the first. */
        Map<String, Long> completed(long restart) {
            Map<String, Long> completed = of(sinks.get(0), restart);
            sinks.subList(1, sinks.size())
                    .forEach(sink ->
                            completed.keySet().retainAll(of(sink, restart).keySet()));
            return completed;
        }

        private static Map<String, Long> of(OfSink sink, long restart) {
            Map<String, Long> kept = new HashMap<>();
            for (ChunkMark mark : sink.marks()) {
                if (mark.key().restart() == restart) {
                    kept.put(mark.key().chunkId(), mark.rows());
                }
            }
            return kept;
        }

        /** @throws RunException {@code WR0528} when rows that were loaded are gone with their table */
        void checkTables(long restart) {
            for (OfSink sink : sinks) {
                long rows = of(sink, restart).values().stream()
                        .mapToLong(Long::longValue)
                        .sum();
                if (rows > 0 && !sink.hasRows()) {
                    throw new RunException(
                            Code.SINK_AND_MARK_DISAGREE,
                            sink.sink().node().id(),
                            "the sink keeps chunks of this backfill with " + rows
                                    + " rows, and its table is gone or empty",
                            "restore the table, or replay all of it with --restart");
                }
            }
        }
    }

    /** Asks every sink for all it keeps of the plan. */
    Look look() {
        List<OfSink> sinks = new ArrayList<>();
        for (BoundSink sink : target.pipeline().sinks()) {
            TableName table = sink.node().table();
            sinks.add(asking(sink, opened -> {
                List<ChunkMark> marks = opened.chunks(table, target.planKey(sink));
                boolean hasRows = opened.describe(table).isPresent() && opened.hasRows(table);
                return new OfSink(sink, marks, hasRows);
            }));
        }
        return new Look(sinks);
    }

    /** The sinks that lack a chunk now. */
    List<BoundSink> lacking(Chunk chunk, long restart) {
        return target.pipeline().sinks().stream()
                .filter(sink -> asking(sink, opened -> opened.chunk(
                                sink.node().table(), new ChunkKey(target.planKey(sink), restart, chunk.id()))
                        .isEmpty()))
                .toList();
    }

    /** The rows of a chunk that the first sink keeps. */
    long rows(Chunk chunk, long restart) {
        BoundSink sink = target.pipeline().sinks().get(0);
        return asking(
                        sink,
                        opened -> opened.chunk(
                                sink.node().table(), new ChunkKey(target.planKey(sink), restart, chunk.id())))
                .map(ChunkMark::rows)
                .orElse(0L);
    }

    private <T> T asking(BoundSink sink, Function<Sink, T> question) {
        String connection = sink.node().connection();
        return scope.connections()
                .retries(connection)
                .run(
                        () -> {
                            scope.cancellation().check();
                            return scope.connections().writing(connection, question);
                        },
                        Retries.Listener.SILENT);
    }
}
