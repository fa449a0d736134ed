package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;

/** What must hold of every verdict and every step of a {@link World}, told without the code that decides. */
final class Justice {

    private Justice() {}

    /** A sink stands by its mark or its newest edit; a refusal names rows that would be lost or doubled. */
    static void assertJust(Standing standing, Verdict verdict) {
        if (verdict instanceof Verdict.Stands stands) {
            assertStands(standing, stands);
        } else {
            assertRefused(standing, (Verdict.Refused) verdict);
        }
    }

    /** Where an edit is newer than the mark it decides, whatever else state says; otherwise the mark does. */
    private static void assertStands(Standing standing, Verdict.Stands stands) {
        if (!standing.keepsMarks() || stands.reason() == Verdict.Reason.REFRESH) {
            return;
        }
        Mark mark = standing.mark();
        Position state = standing.state();
        if (mark != null && (state == null || state.generation() <= mark.generation())) {
            assertThat(stands.position()).isEqualTo(mark.value());
        } else {
            assertThat(stands.position()).isEqualTo(state == null ? null : state.generationStart());
        }
    }

    private static void assertRefused(Standing standing, Verdict.Refused refused) {
        Mark mark = standing.mark();
        CursorValue held = mark == null ? null : mark.value();
        switch (refused.disagreement()) {
            case ROWS_MISSING -> {
                CursorValue witness = refused.missingUpTo();
                assertThat(refused.missingAbove()).isEqualTo(held);
                assertThat(witness)
                        .as("a value that was held")
                        .isLessThanOrEqualTo(standing.state().stood());
                assertThat(witness)
                        .as("and is not read again")
                        .isLessThanOrEqualTo(standing.state().generationStart());
                assertThat(held == null || witness.isAbove(held))
                        .as("and is not held now")
                        .isTrue();
            }
            case BACK_IN_APPEND -> {
                CursorValue start = standing.state().generationStart();
                assertThat(standing.strategy()).isEqualTo(Strategy.APPEND);
                assertThat(standing.table()).isEqualTo(Standing.Table.ROWS);
                assertThat(held).as("values that would come twice").isNotNull();
                assertThat(start == null || start.isBelow(held)).isTrue();
            }
            case TABLE_GONE -> assertThat(standing.table()).isEqualTo(Standing.Table.GONE);
            case TABLE_EMPTIED -> {
                assertThat(standing.table()).isEqualTo(Standing.Table.EMPTY);
                assertThat(mark.tableEmpty()).isFalse();
            }
            case ROWS_WITHOUT_MARK ->
                throw new AssertionError("rows and mark are always put back together: " + standing);
        }
    }

    /** A position never goes back, nor past the newest row at or below the ceiling, nor stands still before the end. */
    static void assertAdvances(SourceRows source, Pass pass, @Nullable CursorValue from, CursorValue end) {
        CursorValue to = pass.position();
        if (from != null) {
            assertThat(to).isGreaterThanOrEqualTo(from);
        }
        if (!pass.advance().atEnd()) {
            assertThat(to).isNotNull().isNotEqualTo(from);
        }
        if (to != null && !to.equals(from)) {
            CursorRange all = CursorRange.startingAt(to.type().least(), end);
            assertThat(source.highest(all))
                    .hasValueSatisfying(newest -> assertThat(to).isLessThanOrEqualTo(newest));
        }
    }
}
