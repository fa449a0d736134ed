package dev.weir.run;

import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.HeldBack;
import dev.weir.slicing.Reach;
import dev.weir.slicing.Sample;
import dev.weir.slicing.Settle;
import dev.weir.slicing.Sync;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What time it is for a source, and how far an invocation may read it: found out once, before anything is read.
 *
 * <p>While writers of a source with a numeric cursor are under way, it reaches what had settled before; {@link #settle}
 * waits for them, and no earlier than a window needs it. Used by one thread at a time.
 */
final class SourceTime {

    private static final Duration CLOCKS_AGREE = Duration.ofSeconds(1);

    private final BoundSource source;
    private final Settling settling;
    private final Reach.From from;
    private final Optional<Sample> sample;
    private final @Nullable RunException failure;
    private Reach reach;
    private boolean isFinal;

    /** Whether it was final before anything of the pass under way was read. */
    private boolean wasFinal;

    private SourceTime(
            BoundSource source,
            Settling settling,
            Reach.From from,
            Optional<Sample> sample,
            @Nullable RunException failure) {
        this.source = source;
        this.settling = settling;
        this.from = from;
        this.sample = sample;
        this.failure = failure;
        this.reach = sample.map(taken -> Reach.of(from, taken)).orElseGet(() -> Reach.unsettled(from));
        this.isFinal = reach.heldBack().isEmpty() || !isWaitedFor(sample);
        this.wasFinal = isFinal;
        reach.settled().ifPresent(value -> settling.keep(source, value));
    }

    private static boolean isWaitedFor(Optional<Sample> sample) {
        return sample.isPresent()
                && sample.get() instanceof Sample.OfNumbers numbers
                && numbers.prepared().isEmpty();
    }

    /**
     * The times of all incremental sources, by id.
     *
     * @param now the runner's clock when the invocation began
     * @param notes told where two clocks differ, and which source cannot tell of open transactions
     */
    static Map<String, SourceTime> of(Bindings bindings, Instant now, Settling settling, Consumer<String> notes) {
        Map<String, SourceTime> times = new HashMap<>();
        bindings.sources().forEach((id, bound) -> bound.incremental().ifPresent(incremental -> {
            Bindings.Clocks clocks = bindings.clocks().getOrDefault(id, new Bindings.Clocks(now, now));
            if (Duration.between(clocks.runner(), clocks.source()).abs().compareTo(CLOCKS_AGREE) > 0) {
                notes.accept(bound.node().key() + ": its clock says " + clocks.source() + " and this machine's "
                        + clocks.runner() + "; the earlier one counts");
            }
            times.put(id, of(bound, earlier(now, clocks.source()), settling, notes));
        }));
        return times;
    }

    private static Instant earlier(Instant one, Instant other) {
        return other.isBefore(one) ? other : one;
    }

    private static SourceTime of(BoundSource source, Instant now, Settling settling, Consumer<String> notes) {
        BoundSource.Incremental incremental = source.incremental().orElseThrow();
        Sync sync = incremental.sync();
        Integer digits = incremental.fractionDigits();
        Reach.From unsettled = new Reach.From(sync, digits, now, null);
        if (sync.settle().mode() == Settle.Mode.OFF) {
            return new SourceTime(source, settling, unsettled, Optional.empty(), null);
        }
        try {
            Sample sample = settling.sample(source);
            if (sample instanceof Sample.Untold untold) {
                refuseWhereRequired(source, untold);
                notes.accept(source.node().key() + ": " + untold + "; rows that commit late may be passed over");
            }
            Reach.From from =
                    new Reach.From(sync, digits, now, settling.last(source).orElse(null));
            return new SourceTime(source, settling, from, Optional.of(sample), null);
        } catch (RunException e) {
            return new SourceTime(source, settling, unsettled, Optional.empty(), e);
        }
    }

    private static void refuseWhereRequired(BoundSource source, Sample.Untold untold) {
        if (source.incremental().orElseThrow().sync().settle().mode() == Settle.Mode.REQUIRED) {
            throw new RunException(
                    Code.CANNOT_SETTLE,
                    source.node().key(),
                    "settle: required, and it cannot be told which transactions are still open: " + untold.why(),
                    "mend that, or write settle: auto and cover late rows by delay or lookback");
        }
    }

    /** @throws RunException when it could not be found out how far the source may be read */
    void check() {
        if (failure != null) {
            throw failure;
        }
    }

    /** The earlier of the runner's clock and the source's own. */
    Instant now() {
        return from.now();
    }

    /** The highest cursor that may be reached, inclusive; empty: nothing bounds it, or nothing may be read at all. */
    Optional<CursorValue> ceiling() {
        return reach.ceiling();
    }

    /** Whether nothing may be read at all. */
    boolean isClosed() {
        return reach.isClosed();
    }

    /** Whether rows may be read that were committed after its time was found out, or after the pass before this one. */
    boolean readsLateComers() {
        return !wasFinal || !reach.isSettled();
    }

    /** Whether it reaches as far as it ever will: nobody is waited for. */
    boolean isFinal() {
        return isFinal;
    }

    /** Why it may not be read further; empty: it is not held back, or writers have not been waited for yet. */
    Optional<HeldBack> heldBack() {
        return isFinal ? reach.heldBack() : Optional.empty();
    }

    /** What the source told of open transactions; empty: it was not asked. */
    Optional<Sample> sample() {
        return sample;
    }

    /** Finds out, as a pass begins, whether writers under way have ended meanwhile, without waiting for them. */
    void look() {
        wasFinal = isFinal;
        if (isFinal) {
            return;
        }
        try {
            settled(Reach.of(from, settling.again(source, writing())));
        } catch (RunException | Cancellation.CancelledException e) {
            // The read that follows meets it too, and tells it.
        }
    }

    /**
     * Waits for writers under way, once.
     *
     * @return whether it reaches further now
     */
    boolean settle() {
        if (isFinal) {
            return false;
        }
        Reach before = reach;
        settled(Reach.of(from, settling.waited(source, writing())));
        isFinal = true;
        return !before.ceiling().equals(reach.ceiling()) || before.isClosed() != reach.isClosed();
    }

    private Sample.OfNumbers writing() {
        return (Sample.OfNumbers) sample.orElseThrow();
    }

    private void settled(Reach found) {
        reach = found;
        isFinal = found.heldBack().isEmpty();
        found.settled().ifPresent(value -> settling.keep(source, value));
    }
}
