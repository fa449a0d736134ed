package dev.weir.run;

import dev.weir.connector.ColumnsChangedException;
import dev.weir.fault.RunException;
import dev.weir.plan.SourceNode;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What an invocation is bound to: settled before anything runs, and anew where a source's columns have changed since.
 * Thread-safe.
 */
final class CurrentBindings {

    /** How often the columns of a source may change before one read of it. */
    private static final int MOST = 5;

    private final @Nullable BiFunction<Bindings, SourceNode, Bindings> anew;
    private final Consumer<String> notes;
    private Bindings now;

    /** @param anew binds a source again, and what is below it; null: that is not done, and the read fails */
    CurrentBindings(Bindings first, @Nullable BiFunction<Bindings, SourceNode, Bindings> anew, Consumer<String> notes) {
        this.now = first;
        this.anew = anew;
        this.notes = notes;
    }

    /** Those of an invocation that ends where a source's columns change. */
    static CurrentBindings forGood(Bindings bindings) {
        return new CurrentBindings(bindings, null, note -> {});
    }

    synchronized Bindings now() {
        return now;
    }

    /**
     * Reads a source as it is bound. When its columns turn out to have changed, it and all below it are bound anew, and it
     * is read again: nothing of it was yet.
     *
     * @throws RunException when it cannot be bound any more
     */
    <T> T reading(SourceNode source, Function<BoundSource, T> read) {
        for (int changes = 0; ; changes++) {
            BoundSource bound = now().sources().get(source.id());
            try {
                return read.apply(bound);
            } catch (ColumnsChangedException e) {
                BiFunction<Bindings, SourceNode, Bindings> again = anew;
                if (again == null || changes == MOST) {
                    throw e;
                }
                renew(bound, again, e);
            }
        }
    }

    private synchronized void renew(
            BoundSource stale, BiFunction<Bindings, SourceNode, Bindings> again, ColumnsChangedException changed) {
        SourceNode source = stale.node();
        if (now.sources().get(source.id()) != stale) {
            return;
        }
        notes.accept(source.key() + ": " + changed.fault().what());
        Bindings renewed = again.apply(now, source);
        RunException failure = renewed.failedSources().get(source.id());
        if (failure != null) {
            throw failure;
        }
        tellNews(stale, renewed.sources().get(source.id()));
        now = renewed;
    }

    /** What the source's catalog makes one say of a column it did not say before. */
    private void tellNews(BoundSource stale, BoundSource renewed) {
        Set<String> known = Set.copyOf(stale.notices());
        renewed.notices().stream().filter(notice -> !known.contains(notice)).forEach(notes);
    }
}
