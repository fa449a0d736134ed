package dev.weir.run;

import dev.weir.connector.Source;
import dev.weir.fault.RunException;
import dev.weir.slicing.Advance;
import dev.weir.slicing.Participation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One slice of one source that is read before its pass has begun: by one thread, for another. */
final class NextSlice {

    private static final Duration LOOK_UP = Duration.ofMillis(100);

    private final Invocation invocation;
    private final WindowWidths widths;
    private final BoundSource source;
    private final Participation participation;
    private final SliceReader.Asked asked;
    private final SliceReader reader;
    private final CompletableFuture<SliceReader.Read> result = new CompletableFuture<>();
    private volatile Journal.@Nullable Node told;
    private @Nullable Source opened;
    private boolean begun;
    private boolean ended;

    /** @param asked a window, under an id that nothing else is staged under */
    NextSlice(
            Invocation invocation,
            WindowWidths widths,
            BoundSource source,
            Participation participation,
            SliceReader.Asked asked) {
        this.invocation = invocation;
        this.widths = widths;
        this.source = source;
        this.participation = participation;
        this.asked = asked;
        this.reader = new SliceReader(invocation.engine());
    }

    /** Reads it, once. A failure is kept for whoever asks, and not tried again. */
    void read() {
        String connection = source.node().connection();
        try {
            invocation.cancellation().check();
            invocation.connections().pace(connection);
            refuseEnded();
            result.complete(reader.compared(invocation.connections().reading(connection, this::read)));
        } catch (Throwable e) {
            if (e instanceof RunException failure) {
                widths.failed(source, List.of(failure));
            }
            result.completeExceptionally(e);
        }
    }

    private SliceReader.Read read(Source from) {
        begin(from);
        SliceReader.Read read = null;
        try {
            read = reader.read(source, from, asked, this::progress);
            return read;
        } finally {
            over(read);
        }
    }

    private synchronized void begin(Source from) {
        refuseEnded();
        begun = true;
        opened = from;
    }

    /**
     * A source that was cancelled is of no use to anybody: what is no failure of its own has it closed.
     *
     * @param read which nobody gets once this has ended; null: it failed
     */
    private synchronized void over(SliceReader.@Nullable Read read) {
        opened = null;
        if (ended && read != null) {
            read.forgetRaw();
        }
        refuseEnded();
    }

    private synchronized void refuseEnded() {
        if (ended) {
            throw new Cancellation.CancelledException();
        }
    }

    /** Whether this is the slice that a source's sinks are to get now. */
    boolean isOf(BoundSource bound, Participation now) {
        return source == bound && participation.equals(now);
    }

    private void progress(long rows) {
        invocation.faults().reached(Faults.Point.MID_READ);
        Journal.Node node = told;
        if (node != null) {
            node.progress(rows);
        }
    }

    /**
     * The slice once it is read, and where it leads; empty: the read failed.
     *
     * @param node told how far it has come
     * @throws Cancellation.CancelledException when cancelled while waiting
     */
    Optional<Turn> turn(Journal.Node node) {
        told = node;
        while (true) {
            try {
                SliceReader.Read read = result.get(LOOK_UP.toMillis(), TimeUnit.MILLISECONDS);
                Advance advance = Advance.of(read.slice(), participation.lower(), read.rows(), read.max(), read.next());
                return Optional.of(new Turn(source, participation, read, advance));
            } catch (TimeoutException e) {
                invocation.cancellation().check();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Error error) {
                    throw error;
                }
                return Optional.empty();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new Cancellation.CancelledException();
            }
        }
    }

    /** Ends it soon, waits for its end where it has begun, and frees what it has staged. */
    void end() {
        synchronized (this) {
            ended = true;
            if (opened != null) {
                opened.cancel();
            }
            if (!begun) {
                // It may be long until it is its turn.
                result.completeExceptionally(new Cancellation.CancelledException());
            }
        }
        try {
            result.join().forgetRaw();
        } catch (RuntimeException e) {
            // It is not wanted, whatever became of it.
            return;
        } finally {
            invocation.engine().drop(asked.id());
        }
    }
}
