package dev.weir.engine;

import dev.weir.connector.SliceRead;
import dev.weir.connector.SliceRead.Wire;
import dev.weir.connector.SliceRead.WireColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBDataChunkWriter;
import org.duckdb.DuckDBFunctions;
import org.duckdb.DuckDBTableFunction;
import org.duckdb.DuckDBTableFunctionBindInfo;
import org.duckdb.DuckDBTableFunctionBuilder;
import org.duckdb.DuckDBTableFunctionCallInfo;
import org.duckdb.DuckDBTableFunctionInitInfo;
import org.jspecify.annotations.Nullable;

/**
 * {@code weir_read(n)}: the table function through which DuckDB pulls the rows of {@link SliceRead.Streams}.
 *
 * <p>Registered once: a function of a connection cannot be dropped again, so one for each read would pile up.
 */
final class ReadFunction implements DuckDBTableFunction<ReadFunction.Read, Object, Object> {

    static final String NAME = "weir_read";

    /** How many of DuckDB's threads pull a read. */
    enum Threads {
        /** Which keeps few rows together. */
        ONE(1),
        /**
         * All there are, so that the one that started the statement is among them: left without a task it would not sleep
         * but look for one until the statement ends, which takes a whole core.
         */
        ALL(Integer.MAX_VALUE);

        private final long most;

        Threads(long most) {
            this.most = most;
        }
    }

    private final Map<Long, Read> reads = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private final BooleanSupplier cancelled;

    ReadFunction(BooleanSupplier cancelled) {
        this.cancelled = cancelled;
    }

    void register(Connection connection) throws SQLException {
        try (DuckDBTableFunctionBuilder builder = DuckDBFunctions.tableFunction()) {
            builder.withName(NAME)
                    .withParameter(DuckDBColumnType.BIGINT)
                    .withFunction(this)
                    .register(connection);
        }
    }

    /** Announces a read; the caller closes it when its statement has ended. */
    Read open(SliceRead.Streams streams, StageListener listener, Threads threads) {
        Read read = new Read(numbers.incrementAndGet(), streams, listener, threads);
        reads.put(read.number, read);
        return read;
    }

    @Override
    public Read bind(DuckDBTableFunctionBindInfo info) {
        Read read = reads.get(info.getParameter(0).getLong());
        if (read == null) {
            throw new IllegalStateException(NAME + " is weir's own and reads nothing here");
        }
        for (int i = 0; i < read.wires.size(); i++) {
            info.addResultColumn(wireName(i), vectorType(read.wires.get(i)));
        }
        return read;
    }

    @Override
    public Object init(DuckDBTableFunctionInitInfo info) {
        Read read = info.getBindData();
        info.setMaxThreads(read.threads.most);
        return NAME;
    }

    @Override
    public long apply(DuckDBTableFunctionCallInfo info, DuckDBDataChunkWriter chunk) throws Exception {
        Read read = info.getBindData();
        if (cancelled.getAsBoolean()) {
            throw new IllegalStateException("cancelled");
        }
        return read.fill(chunk);
    }

    static String wireName(int column) {
        return "c" + column;
    }

    private static DuckDBColumnType vectorType(Wire wire) {
        return switch (wire) {
            case BOOLEAN -> DuckDBColumnType.BOOLEAN;
            case TINYINT -> DuckDBColumnType.TINYINT;
            case SMALLINT -> DuckDBColumnType.SMALLINT;
            case INTEGER -> DuckDBColumnType.INTEGER;
            case BIGINT -> DuckDBColumnType.BIGINT;
            case FLOAT -> DuckDBColumnType.FLOAT;
            case DOUBLE -> DuckDBColumnType.DOUBLE;
            case VARCHAR -> DuckDBColumnType.VARCHAR;
        };
    }

    /**
     * One read under way. Each of its streams is filled from by one thread at a time, so that with one stream the threads
     * take turns; what DuckDB makes of a chunk then is done by all of them at once.
     */
    final class Read implements AutoCloseable {

        private final long number;
        private final StageListener listener;
        private final Threads threads;
        private final List<Wire> wires;

        /** The streams that no thread fills from. */
        private final Deque<SliceRead.Vectors> free;

        /** How many streams may have more rows. */
        private int open;

        private volatile long rows;
        private volatile @Nullable Throwable failure;

        private Read(long number, SliceRead.Streams streams, StageListener listener, Threads threads) {
            this.number = number;
            this.listener = listener;
            this.threads = threads;
            this.wires = streams.each().get(0).columns().stream()
                    .map(WireColumn::wire)
                    .toList();
            this.free = new ArrayDeque<>(streams.each());
            this.open = free.size();
        }

        private long fill(DuckDBDataChunkWriter chunk) throws Exception {
            for (SliceRead.Vectors stream = take(); stream != null; stream = take()) {
                int filled = fillFrom(stream, chunk);
                if (filled > 0) {
                    return filled;
                }
            }
            return 0;
        }

        private int fillFrom(SliceRead.Vectors stream, DuckDBDataChunkWriter chunk) throws Exception {
            try {
                ChunkWriter writer = new ChunkWriter(chunk, wires);
                int filled = stream.fill(writer);
                writer.finish(filled);
                giveBack(stream, filled);
                return filled;
            } catch (Exception | Error e) {
                fail(e);
                throw e;
            }
        }

        /** Waits for a stream that nobody fills from; null: none has more rows. */
        private synchronized SliceRead.@Nullable Vectors take() throws InterruptedException {
            while (free.isEmpty() && open > 0 && failure == null) {
                wait();
            }
            if (failure != null) {
                throw new IllegalStateException("the read has failed in another thread", failure);
            }
            return free.poll();
        }

        private synchronized void giveBack(SliceRead.Vectors stream, int filled) {
            if (filled == 0) {
                open--;
                notifyAll();
                return;
            }
            rows += filled;
            listener.staged(rows);
            free.add(stream);
            notify();
        }

        private synchronized void fail(Throwable thrown) {
            if (failure == null) {
                failure = thrown;
            }
            notifyAll();
        }

        /** The call that DuckDB's planner binds to this read. */
        String call() {
            return NAME + "(" + number + ")";
        }

        /** How many rows were handed to DuckDB. */
        long rows() {
            return rows;
        }

        /** What ended the read; null: nothing did. DuckDB keeps only the message. */
        @Nullable
        Throwable failure() {
            return failure;
        }

        @Override
        public void close() {
            reads.remove(number);
        }
    }
}
