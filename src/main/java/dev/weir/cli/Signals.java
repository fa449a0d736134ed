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

    private final Map<String, Object> former = new LinkedHashMap<>();

    private Signals() {}

    static Signals cancelling(Cancellation cancellation) {
        Signals signals = new Signals();
        for (String name : STOPPING) {
            Object before = org.jline.utils.Signals.register(name, () -> stop(cancellation));
            if (before != null) {
                signals.former.put(name, before);
            }
        }
        return signals;
    }

    private static void stop(Cancellation cancellation) {
        if (cancellation.isCancelled()) {
            Runtime.getRuntime().halt(KILLED);
        }
        cancellation.cancel();
    }

    /** Puts the handlers back that were there before. */
    @Override
    public void close() {
        former.forEach(org.jline.utils.Signals::unregister);
    }
}
