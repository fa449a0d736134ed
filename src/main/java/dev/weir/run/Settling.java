package dev.weir.run;

import dev.weir.connector.Source;
import dev.weir.fault.RunException;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Sample;
import dev.weir.slicing.Step;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Finds out which transactions may still commit rows to sources, and waits for them.
 *
 * <p>Source of the rule: contract, section 3.2.
 */
final class Settling {

    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Duration LONGEST_LOOK = Duration.ofMillis(500);

    private final Connections connections;
    private final Cancellation cancellation;
    private final Remembered remembered;
    private final Consumer<String> notes;
    private final Keeper keeper;
    private final Taking taking;

    /** Keeps what was found settled for invocations that find out nothing. */
    @FunctionalInterface
    interface Keeper {
        void keep(String source, Cursor cursor, CursorValue value);
    }

    /** How a sample is taken: a look does not wait for what a run would wait for. */
    @FunctionalInterface
    private interface Taking {
        Sample take(BoundSource source, Sample sample);
    }

    private Settling(
            Connections connections,
            Cancellation cancellation,
            Remembered remembered,
            Consumer<String> notes,
            Keeper keeper,
            Taking taking) {
        this.connections = connections;
        this.cancellation = cancellation;
        this.remembered = remembered;
        this.notes = notes;
        this.keeper = keeper;
        this.taking = taking;
    }

    /** For a run, which waits for writers and keeps what it finds out. */
    static Settling of(Invocation invocation) {
        Scope scope = invocation.scope();
        return new Settling(
                scope.connections(),
                scope.cancellation(),
                scope.remembered(),
                invocation.notes(),
                (source, cursor, value) -> keep(invocation, source, cursor, value),
                (source, sample) -> sample);
    }

    private static void keep(Invocation invocation, String source, Cursor cursor, CursorValue value) {
        try {
            invocation.state().settled(invocation.plan().project(), source, cursor, value);
        } catch (RunException e) {
            // Without it a later invocation reads less, not more.
            invocation.notes().accept(e.getMessage());
        }
    }

    /** For a look at what a run would do: writers under way are told, and taken to end in time, and nothing is kept. */
    static Settling looking(Scope scope, Consumer<String> notes) {
        return new Settling(
                scope.connections(),
                scope.cancellation(),
                scope.remembered(),
                notes,
                (source, cursor, value) -> {},
                (source, sample) -> withoutWriters(source, sample, notes));
    }

    private static Sample withoutWriters(BoundSource source, Sample sample, Consumer<String> notes) {
        if (!(sample instanceof Sample.OfNumbers numbers) || !isWorthWaiting(numbers)) {
            return sample;
        }
        notes.accept(source.node().key() + ": a run waits for writers to end when a window needs it"
                + atMost(source, numbers));
        return new Sample.OfNumbers(numbers.highest(), List.of(), List.of());
    }

    private static Duration timeout(BoundSource source) {
        return source.incremental().orElseThrow().sync().settle().timeout();
    }

    private static String atMost(BoundSource source, Sample.OfNumbers sample) {
        return ", at most " + Step.written(timeout(source)) + ": "
                + String.join(
                        "; ", sample.writers().stream().map(Sample.Session::who).toList());
    }

    /** What the source tells, outside any transaction. */
    Sample sample(BoundSource source) {
        return taking.take(source, reading(source, opened -> opened.sample(source.request())));
    }

    private <T> T reading(BoundSource source, Function<Source, T> work) {
        String connection = source.node().connection();
        return connections
                .retries(connection)
                .run(() -> connections.reading(connection, work), Retries.Listener.SILENT);
    }

    /** The sample once its writers have ended, or time is up. Transactions prepared meanwhile end the wait. */
    Sample.OfNumbers waited(BoundSource source, Sample.OfNumbers first) {
        Duration timeout = timeout(source);
        long began = System.nanoTime();
        Sample.OfNumbers sample = again(source, first);
        Duration look = LOOK;
        boolean said = false;
        while (isWorthWaiting(sample)) {
            Duration left = timeout.minusNanos(System.nanoTime() - began);
            if (left.isNegative() || left.isZero()) {
                return sample;
            }
            if (!said) {
                notes.accept(source.node().key() + ": waiting for writers to end" + atMost(source, sample));
                said = true;
            }
            cancellation.pause(shorter(look, left));
            look = shorter(look.multipliedBy(2), LONGEST_LOOK);
            sample = again(source, sample);
        }
        return sample;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static boolean isWorthWaiting(Sample.OfNumbers sample) {
        return !sample.writers().isEmpty() && sample.prepared().isEmpty();
    }

    /** The same sample with those of its writers that are still open. */
    Sample.OfNumbers again(BoundSource source, Sample.OfNumbers earlier) {
        return reading(source, opened -> opened.sampleAgain(earlier));
    }

    /** What an earlier invocation kept. */
    Optional<CursorValue> last(BoundSource source) {
        return remembered.lastSettled(source.node().key(), cursor(source));
    }

    void keep(BoundSource source, CursorValue settled) {
        keeper.keep(source.node().key(), cursor(source), settled);
    }

    private static Cursor cursor(BoundSource source) {
        return source.incremental().orElseThrow().cursor();
    }
}
