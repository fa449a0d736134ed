package dev.weir.connector.postgres;

import dev.weir.fault.Code;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The connections of one source, which are used again once they are given back.
 *
 * <p>Used by one thread at a time, except {@link #cancel()}.
 */
final class Sessions {

    private final Address address;
    private final Deque<Session> idle = new ArrayDeque<>();
    private final Set<Session> all = ConcurrentHashMap.newKeySet();
    private volatile boolean cancelled;

    Sessions(Address address) {
        this.address = address.reading();
    }

    Session take() {
        Session session = idle.isEmpty() ? new Session(address, Code.SOURCE) : idle.pop();
        all.add(session);
        if (cancelled) {
            session.cancel();
        }
        return session;
    }

    /** Ends its transaction, and the connection when it is of no use any more. Never fails. */
    void giveBack(Session session) {
        session.rollback();
        if (session.isUsable()) {
            idle.push(session);
        } else {
            session.close();
            all.remove(session);
        }
    }

    /** Ends all that is under way, for good. Thread-safe; never fails. */
    void cancel() {
        cancelled = true;
        atOnce(all, Session::cancel);
    }

    void close() {
        all.forEach(Session::close);
        all.clear();
        idle.clear();
    }

    /** Each may wait a while for the server to hear of it: together they wait no longer than one. */
    static void atOnce(Collection<Session> sessions, Consumer<Session> end) {
        List<Thread> ending = sessions.stream()
                .map(session -> new Thread(() -> end.accept(session), "weir-session-end"))
                .toList();
        ending.forEach(thread -> thread.setDaemon(true));
        ending.forEach(Thread::start);
        for (Thread thread : ending) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
