package dev.weir.cli;

import dev.weir.run.Cancellation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns Ctrl-C, SIGTERM and SIGHUP into a cancellation; a second signal kills at once.
 *
 * <p>Killing is safe: rows and positions commit together or not at all.
 */
final class Signals implements AutoCloseable {

    private static final List<String> STOPPING = List.of("INT", "TERM", "HUP");
    private static final int KILLED = 3;
    private static final long LAST_WORDS_MILLIS = 200;

    private final Map<String, Object> former = new LinkedHashMap<>();

    private Signals() {}

    /** @param lastWords run before a second signal kills; waited for only a moment */
    static Signals cancelling(Cancellation cancellation, Runnable lastWords) {
        Signals signals = new Signals();
        for (String name : STOPPING) {
            Object before = org.jline.utils.Signals.register(name, () -> stop(cancellation, lastWords));
            if (before != null) {
                signals.former.put(name, before);
            }
        }
        return signals;
    }

    private static void stop(Cancellation cancellation, Runnable lastWords) {
        if (cancellation.isCancelled()) {
            say(lastWords);
            Runtime.getRuntime().halt(KILLED);
        }
        cancellation.cancel();
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
        former.forEach(org.jline.utils.Signals::unregister);
    }
}
