package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.WithNull;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ParticipationTest {

    private static final CursorType BIGINT = CursorType.of(CursorType.Kind.BIGINT);

    @Property
    void theLowestTakePartAndTheSliceEndsAtTheNextHigher(
            @ForAll @NotEmpty List<@WithNull(0.1) @LongRange(min = 0, max = 5) Long> positions) {
        Map<String, @Nullable CursorValue> sinks = new LinkedHashMap<>();
        for (int i = 0; i < positions.size(); i++) {
            sinks.put("s" + i, positions.get(i) == null ? null : BIGINT.units(positions.get(i)));
        }

        Participation participation = Participation.of(sinks);

        assertThat(participation.participants()).isNotEmpty().allSatisfy(sink -> assertThat(sinks.get(sink))
                .isEqualTo(participation.lower()));
        for (String sink : participation.ahead()) {
            assertThat(sinks.get(sink)).isNotNull().isGreaterThanOrEqualTo(participation.nextHigher());
            if (participation.lower() != null) {
                assertThat(sinks.get(sink)).isGreaterThan(participation.lower());
            }
        }
        assertThat(participation.nextHigher() == null)
                .isEqualTo(participation.ahead().isEmpty());
        assertThat(participation.participants().size() + participation.ahead().size())
                .isEqualTo(sinks.size());
    }

    @Test
    void aSinkThatStandsNowhereIsBelowEveryOther() {
        Map<String, @Nullable CursorValue> sinks = new LinkedHashMap<>();
        sinks.put("loaded", BIGINT.least());
        sinks.put("new", null);

        assertThat(Participation.of(sinks))
                .isEqualTo(new Participation(null, List.of("new"), List.of("loaded"), BIGINT.least()));
    }
}
