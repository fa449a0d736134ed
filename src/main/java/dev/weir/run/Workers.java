package dev.weir.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * Does several things, so many at once, the caller being one of those at work. With one thread they are done in their order.
 *
 * <p>What is done may itself have several things done here: who waits, waits only for what somebody is at work on.
 * Thread-safe.
 */
final class Workers implements AutoCloseable {

    private final int threads;
    private final ExecutorService others;

    /** @param threads at least 1 */
    Workers(int threads) {
        this.threads = threads;
        this.others = Executors.newFixedThreadPool(Math.max(1, threads - 1), work -> {
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
        List<FutureTask<T>> tasks =
                work.stream().map(one -> new FutureTask<>(one::get)).toList();
        Queue<FutureTask<T>> left = new ConcurrentLinkedQueue<>(tasks);
        for (int i = 1; i < Math.min(threads, tasks.size()); i++) {
            others.execute(() -> doWhatIsLeft(left));
        }
        doWhatIsLeft(left);
        return results(tasks);
    }

    private static <T> void doWhatIsLeft(Queue<FutureTask<T>> left) {
        for (FutureTask<T> task = left.poll(); task != null; task = left.poll()) {
            task.run();
        }
    }

    private static <T> List<T> results(List<FutureTask<T>> tasks) {
        List<T> results = new ArrayList<>();
        RuntimeException failure = null;
        for (FutureTask<T> task : tasks) {
            try {
                results.add(task.get());
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
        others.shutdown();
    }
}
