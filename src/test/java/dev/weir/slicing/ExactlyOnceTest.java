package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/** Whatever dies, fails, is lost, put back or decided: in the end every sink holds every row it owes, once. */
class ExactlyOnceTest {

    private static final int REPAIRS = 8;

    @Property(tries = 300)
    void aProcessThatDiesAtAnyStepLosesAndDoublesNothing(
            @ForAll(supplier = Shape.Any.class) Shape shape, @ForAll Scenario.Kind kind) {
        Scenario scenario = new Scenario(shape, List.of(kind), List.of());
        World.Disturbance undisturbed = World.Disturbance.none();
        scenario.begin().run(Set.of("s0"), shape.sync(), undisturbed);
        for (int step = 0; step <= undisturbed.steps(); step++) {
            Act dying = new Act.Run(1, step, List.of(), 0, false);
            World world = new Scenario(shape, List.of(kind), List.of(dying)).play();

            assertThat(finish(world)).as("nobody but the process did anything").isZero();
            assertEveryRowOnce(world);
        }
    }

    @Property(tries = 1_000)
    void sinksAtDifferentPositionsThatFailAtRandomAllConverge(
            @ForAll(supplier = Scenario.OnlyRuns.class) Scenario scenario) {
        World world = scenario.play();

        assertThat(finish(world)).as("nobody but the process did anything").isZero();
        assertEveryRowOnce(world);
    }

    @Property(tries = 3_000)
    void whateverHappensNothingIsLostOrDoubledUnsaid(@ForAll(supplier = Scenario.Anything.class) Scenario scenario) {
        World world = scenario.play();

        finish(world);
        assertEveryRowOnce(world);
    }

    /** Runs all sinks undisturbed, doing what each refusal says, until all are at the end; counts the refusals. */
    private static int finish(World world) {
        Set<String> all = new LinkedHashSet<>();
        world.sinks().forEach(sink -> all.add(sink.name()));
        int refusals = 0;
        for (int i = 0; i < REPAIRS; i++) {
            World.Outcome outcome = world.run(all, world.shape().sync(), World.Disturbance.none());
            if (outcome.refused().isEmpty()) {
                assertThat(outcome.atEnd()).isTrue();
                return refusals;
            }
            refusals += outcome.refused().size();
            outcome.refused().forEach((sink, refused) -> repair(world, sink, refused));
        }
        throw new AssertionError("refused again and again");
    }

    /** What the message of the refusal says to do. */
    private static void repair(World world, String name, Verdict.Refused refused) {
        ModelSink sink = world.sinks().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
        @Nullable Mark mark = sink.content().mark();
        switch (refused.disagreement()) {
            case TABLE_GONE, TABLE_EMPTIED -> world.edit(sink, null, true);
            case ROWS_MISSING, BACK_IN_APPEND -> world.edit(sink, mark == null ? null : mark.value(), true);
            case ROWS_WITHOUT_MARK -> throw new AssertionError(refused);
        }
    }

    private static void assertEveryRowOnce(World world) {
        Map<String, Verdict> verdicts = world.decide(world.names(), false);
        for (ModelSink sink : world.sinks()) {
            Verdict.Stands stands = (Verdict.Stands) verdicts.get(sink.name());
            Map<Integer, Integer> held = sink.content().rows();

            assertThat(held.values())
                    .as("how often rows are in %s", sink.name())
                    .allMatch(count -> count == 1);
            assertThat(held.keySet())
                    .as("rows in %s", sink.name())
                    .containsAll(owed(world, sink.skippedFrom(stands, world.stood(sink.name(), stands))));
            assertThat(ids(world.source().all().stream()
                            .filter(SourceRows::isFinite)
                            .toList()))
                    .containsAll(held.keySet());
        }
    }

    /** The rows between {@code initial} and the ceiling that no operator has skipped. */
    private static List<Integer> owed(World world, List<CursorRange> skipped) {
        Shape shape = world.shape();
        CursorType type = shape.column().type();
        CursorValue initial = shape.sync().initial();
        CursorRange due = CursorRange.startingAt(
                initial == null ? type.least() : initial,
                shape.ceiling(world.now()).orElse(type.greatest()));
        return ids(world.source().finiteIn(due).stream()
                .filter(ModelSink::passesTheSql)
                .filter(row -> skipped.stream()
                        .noneMatch(range -> range.contains(world.source().floored(row))))
                .toList());
    }

    private static List<Integer> ids(List<SourceRows.Row> rows) {
        List<Integer> ids = new ArrayList<>();
        rows.forEach(row -> ids.add(row.id()));
        return ids;
    }
}
