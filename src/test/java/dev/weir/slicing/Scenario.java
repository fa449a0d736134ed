package dev.weir.slicing;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ArbitrarySupplier;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;
import org.jspecify.annotations.Nullable;

/**
 * A world and what happens to it.
 *
 * @param sinks what kinds of sinks it has
 * @param acts what happens, in order
 */
record Scenario(Shape shape, List<Kind> sinks, List<Act> acts) {

    private static final int SINKS = 3;
    private static final int ACTS = 12;

    /** A kind of sink. */
    enum Kind {
        MERGE(Strategy.MERGE, true),
        APPEND(Strategy.APPEND, true),
        WINDOW(Strategy.WINDOW, true),
        MERGE_WITHOUT_MARKS(Strategy.MERGE, false);

        private final Strategy strategy;
        private final boolean keepsMarks;

        Kind(Strategy strategy, boolean keepsMarks) {
            this.strategy = strategy;
            this.keepsMarks = keepsMarks;
        }
    }

    /** Runs that die and fail, rows that arrive and clocks that step: no operator has a hand in it. */
    static final class OnlyRuns implements ArbitrarySupplier<Scenario> {
        @Override
        public Arbitrary<Scenario> get() {
            return scenarios(
                    Arbitraries.frequencyOf(Tuple.of(6, runs(false)), Tuple.of(1, arrivals()), Tuple.of(1, clocks())));
        }
    }

    /** Everything that can happen. */
    static final class Anything implements ArbitrarySupplier<Scenario> {
        @Override
        public Arbitrary<Scenario> get() {
            Arbitrary<Integer> sink = Arbitraries.integers().between(0, SINKS - 1);
            Arbitrary<Boolean> mostly = Arbitraries.of(true, true, true, false);
            Arbitrary<@Nullable Long> grains =
                    Arbitraries.longs().between(-5, 50).injectNull(0.2);
            return scenarios(Arbitraries.frequencyOf(
                    Tuple.of(9, runs(false)),
                    Tuple.of(2, runs(true)),
                    Tuple.of(4, Combinators.combine(grains, mostly).as(Act.Edit::new)),
                    Tuple.of(1, Arbitraries.just(new Act.LoseState())),
                    Tuple.of(1, Arbitraries.just(new Act.BackUpState())),
                    Tuple.of(1, Arbitraries.just(new Act.RestoreState())),
                    Tuple.of(3, sink.map(Act.BackUpSink::new)),
                    Tuple.of(3, sink.map(Act.RestoreSink::new)),
                    Tuple.of(1, Combinators.combine(sink, mostly).as(Act.LoseRows::new)),
                    Tuple.of(2, arrivals()),
                    Tuple.of(1, clocks())));
        }
    }

    private static Arbitrary<Scenario> scenarios(Arbitrary<Act> acts) {
        return Combinators.combine(
                        new Shape.Any().get(),
                        Arbitraries.of(Kind.values()).list().ofMinSize(1).ofMaxSize(SINKS),
                        acts.list().ofMaxSize(ACTS))
                .as(Scenario::new);
    }

    private static Arbitrary<Act> runs(boolean refresh) {
        Arbitrary<Integer> dies =
                Arbitraries.oneOf(Arbitraries.just(-1), Arbitraries.integers().between(0, 20));
        return Combinators.combine(
                        Arbitraries.integers().between(1, (1 << SINKS) - 1),
                        dies,
                        Arbitraries.integers().between(-1, SINKS - 1).list().ofMaxSize(4),
                        Arbitraries.longs().between(0, 20))
                .as((sinks, diesAt, failing, window) -> new Act.Run(sinks, diesAt, failing, window, refresh));
    }

    private static Arbitrary<Act> arrivals() {
        return Arbitraries.longs().between(1, 20).map(Act.Arrive::new);
    }

    private static Arbitrary<Act> clocks() {
        return Arbitraries.longs().between(-10, 30).map(Act.Clock::new);
    }

    /** The world as it is before anything happens. */
    World begin() {
        List<ModelSink> created = new ArrayList<>();
        for (Kind kind : sinks) {
            created.add(new ModelSink("s" + created.size(), kind.strategy, kind.keepsMarks));
        }
        return new World(shape, created);
    }

    /** The world after everything has happened. */
    World play() {
        World world = begin();
        Act.Memory memory = new Act.Memory();
        acts.forEach(act -> act.on(world, memory));
        return world;
    }
}
