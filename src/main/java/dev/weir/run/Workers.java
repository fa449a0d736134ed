package dev.weir.run;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/** Does several things, so many at once. With one thread they are done in their order, by the caller. */
final class Workers implements AutoCloseable {

    private final int threads;
    private final ExecutorService executor;

    /** @param threads at least 1 */
    Workers(int threads) {
        this.threads = threads;
        this.executor = Executors.newFixedThreadPool(threads, work -> {
            Thread thread = new Thread(work, "weir-load");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Their results, in their order, once all are done; the first failure is thrown, later ones suppressed in it. */
    <T> List<T> all(List<Supplier<T>> work) {
        if (threads == 1 || work.size() < 2) {
            return work.stream().map(Supplier::get).toList();
        }
        List<Future<T>> running = new ArrayList<>();
        work.forEach(one -> running.add(executor.submit(one::get)));
        List<T> results = new ArrayList<>();
        RuntimeException failure = null;
        for (Future<T> one : running) {
            try {
                results.add(one.get());
            } catch (ExecutionException e) {
                RuntimeException found = unchecked(e.getCause());
                if (failure == null) {
                    failure = found;
                } else {
                    failure.addSuppressed(found);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new Cancellation.CancelledException();
            }
        }
        if (failure != null) {
            throw failure;
        }
        return results;
    }

    private static RuntimeException unchecked(Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return (RuntimeException) cause;
    }

    @Override
    public void close() {
        executor.shutdown();
    }
}
