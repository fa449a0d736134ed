package dev.weir.cli;

import dev.weir.run.Cancellation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Turns Ctrl-C, SIGTERM and SIGHUP into a cancellation; a second signal kills at once, and so does time when what was
 * cancelled does not end.
 *
 * <p>Killing is safe: rows and positions commit together or not at all. Source of the rule: contract, section 4.1.
 */
final class Signals implements AutoCloseable {

    private static final List<String> STOPPING = List.of("INT", "TERM", "HUP");
    private static final int KILLED = 3;
    private static final long LAST_WORDS_MILLIS = 200;

    /** With what an end takes by itself, less than the five seconds that are promised. */
    private static final long PATIENCE_MILLIS = 4_000;

    private final Map<String, Object> former = new LinkedHashMap<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Cancellation cancellation;
    private volatile Consumer<String> notes;
    private volatile Runnable lastWords = () -> {};

    private Signals(Cancellation cancellation, Consumer<String> notes) {
        this.cancellation = cancellation;
        this.notes = notes;
    }

    /** @param notes told when what was cancelled has to be ended by force */
    static Signals cancelling(Cancellation cancellation, Consumer<String> notes) {
        Signals signals = new Signals(cancellation, notes);
        for (String name : STOPPING) {
            Object before = org.jline.utils.Signals.register(name, signals::stop);
            if (before != null) {
                signals.former.put(name, before);
            }
        }
        return signals;
    }

    /**
     * From now on this is shown.
     *
     * @param shown takes the notes
     * @param end run before the process is killed; waited for only a moment
     */
    void showing(Consumer<String> shown, Runnable end) {
        notes = shown;
        lastWords = end;
    }

    private void stop() {
        if (cancellation.isCancelled()) {
            kill(lastWords);
        }
        Thread lastResort = new Thread(this::killUnlessEnded, "weir-last-resort");
        lastResort.setDaemon(true);
        lastResort.start();
        cancellation.cancel();
    }

    private void killUnlessEnded() {
        try {
            if (ended.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        kill(() -> {
            notes.accept("stopped: cancelled; what was under way did not end within " + PATIENCE_MILLIS / 1_000
                    + " s, so the process is ended: what had not committed is rolled back");
            lastWords.run();
        });
    }

    private static void kill(Runnable lastWords) {
        say(lastWords);
        Runtime.getRuntime().halt(KILLED);
    }

    /** A terminal that takes nothing any more does not keep the process alive. */
    private static void say(Runnable lastWords) {
        Thread speaker = new Thread(lastWords, "weir-last-words");
        speaker.setDaemon(true);
        speaker.start();
        try {
            speaker.join(LAST_WORDS_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Puts the handlers back that were there before. */
    @Override
    public void close() {
        ended.countDown();
        former.forEach(org.jline.utils.Signals::unregister);
    }
}
