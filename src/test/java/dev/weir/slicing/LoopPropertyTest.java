package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;

/** One sink, one source, one invocation: passes against the rows themselves. */
class LoopPropertyTest {

    private static final int SLOW_PATH = 3_000;

    @Property
    void everyRowUpToTheCeilingIsDeliveredOnce(@ForAll(supplier = Shape.Any.class) Shape shape) {
        List<Pass> passes = passes(shape, List.of());

        assertThat(delivered(passes)).containsExactlyInAnyOrderElementsOf(due(shape));
    }

    @Property
    void windowsOfAnySizeDeliverTheSameRows(
            @ForAll(supplier = Shape.Any.class) Shape shape,
            @ForAll @Size(min = 1, max = 5) List<@LongRange(min = 0, max = 50) Long> windows) {
        assertThat(delivered(passes(shape, windows))).containsExactlyInAnyOrderElementsOf(due(shape));
    }

    @Property
    void thePositionOnlyRisesAndNeverPassesTheNewestRow(@ForAll(supplier = Shape.Any.class) Shape shape) {
        Optional<CursorValue> newest =
                due(shape).stream().map(shape.source()::floored).max(CursorValue::compareTo);
        CursorValue before = null;
        for (Pass pass : passes(shape, List.of())) {
            CursorValue after = pass.position();
            if (!pass.advance().atEnd()) {
                assertThat(after).isNotNull().isNotEqualTo(before);
            }
            if (before != null) {
                assertThat(after).isGreaterThanOrEqualTo(before);
            }
            if (after != null) {
                assertThat(after).isLessThanOrEqualTo(newest.orElseThrow());
            }
            before = after;
        }
        assertThat(before).isEqualTo(newest.orElse(null));
    }

    @Property
    void aPassIsSpentOnRowsOrOnOneEmptyStretch(@ForAll(supplier = Shape.Any.class) Shape shape) {
        List<Pass> passes = passes(shape, List.of());

        assertThat(passes).hasSizeLessThanOrEqualTo(2 * due(shape).size() + 1);
    }

    @Property
    void anInvocationAfterTheEndReadsNothing(@ForAll(supplier = Shape.Any.class) Shape shape) {
        List<Pass> passes = passes(shape, List.of());
        CursorValue end = passes.get(passes.size() - 1).position();
        Assume.that(end != null);

        Pass again = Pass.over(shape.source(), from(shape, end, shape.sync().maxWindow()));

        assertThat(again.rows()).isEmpty();
        assertThat(again.position()).isEqualTo(end);
        assertThat(again.advance().atEnd()).isTrue();
    }

    @Property
    void jumpingOverEmptyWindowsEndsWhereWalkingThemEnds(@ForAll(supplier = Shape.Any.class) Shape shape) {
        Step step = shape.sync().maxWindow();
        Assume.that(step != null);
        List<Pass> jumped = passes(shape, List.of());

        SourceRows source = shape.source();
        List<Pass> walked = new ArrayList<>();
        CursorValue position = null;
        BigInteger windows = BigInteger.ZERO;
        boolean atEnd = false;
        while (!atEnd && walked.size() < SLOW_PATH) {
            Pass pass = Pass.over(source, from(shape, position, step));
            walked.add(pass);
            atEnd = pass.advance().atEnd();
            position = atEnd ? pass.position() : pass.upper().orElseThrow();
            windows = windows.add(BigInteger.ONE);
        }
        Assume.that(atEnd);

        assertThat(loaded(jumped)).isEqualTo(loaded(walked));
        assertThat(jumped.get(jumped.size() - 1).position()).isEqualTo(position);
        BigInteger skipped = jumped.stream()
                .map(pass -> pass.advance().skippedWindows())
                .reduce(BigInteger.valueOf(jumped.size()), BigInteger::add);
        assertThat(skipped).isEqualTo(windows);
    }

    /** What the slices with rows held, and where they ended. */
    private static List<String> loaded(List<Pass> passes) {
        return passes.stream()
                .filter(pass -> !pass.rows().isEmpty())
                .map(pass -> pass.rows() + " up to " + pass.position())
                .toList();
    }

    /** @param windows the widths of the passes, in grains, one after the other and again; 0: none; empty: as in sync */
    private static List<Pass> passes(Shape shape, List<Long> windows) {
        SourceRows source = shape.source();
        List<Pass> passes = new ArrayList<>();
        CursorValue position = null;
        boolean atEnd = false;
        while (!atEnd) {
            assertThat(passes).as("passes of a loop that must end").hasSizeLessThan(200);
            Step step = windows.isEmpty()
                    ? shape.sync().maxWindow()
                    : step(shape, windows.get(passes.size() % windows.size()));
            Pass pass = Pass.over(source, from(shape, position, step));
            passes.add(pass);
            position = pass.position();
            atEnd = pass.advance().atEnd();
        }
        return passes;
    }

    private static @Nullable Step step(Shape shape, long grains) {
        BigInteger units = shape.column().grain().multiply(BigInteger.valueOf(grains));
        return grains == 0 ? null : new Step(shape.column().type(), units);
    }

    private static Slice.From from(Shape shape, @Nullable CursorValue lower, @Nullable Step step) {
        return new Slice.From(shape.windowed(step), lower, shape.ceiling().orElse(null), null);
    }

    private static List<SourceRows.Row> delivered(List<Pass> passes) {
        return passes.stream().flatMap(pass -> pass.rows().stream()).toList();
    }

    /** The finite rows from {@code initial} up to the ceiling, found without any window. */
    private static List<SourceRows.Row> due(Shape shape) {
        CursorType type = shape.column().type();
        CursorValue initial = shape.sync().initial();
        return shape.source()
                .finiteIn(CursorRange.startingAt(
                        initial == null ? type.least() : initial,
                        shape.ceiling().orElse(type.greatest())));
    }
}
