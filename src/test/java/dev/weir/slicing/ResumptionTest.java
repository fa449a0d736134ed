package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.slicing.Resumption.Found;
import dev.weir.slicing.Resumption.OnExisting;
import dev.weir.slicing.Resumption.Wish;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResumptionTest {

    private static final List<String> DIFFERENCE = List.of("keys: id, then order_id");

    /** Columns: without a flag, on_existing: error without a flag, --resume, --restart. */
    @ParameterizedTest
    @CsvSource({
        "none,                  Begin        Begin        NO_PLAN      Begin",
        "unfinished,            Resume       EXISTS       Resume       Restart",
        "unfinished live,       Resume       EXISTS       Resume       LIVES",
        "completed,             NothingToDo  EXISTS       NothingToDo  Restart",
        "completed live,        NothingToDo  EXISTS       NothingToDo  LIVES",
        "other unfinished,      OTHER_INPUTS OTHER_INPUTS OTHER_INPUTS Restart",
        "other unfinished live, OTHER_INPUTS OTHER_INPUTS OTHER_INPUTS LIVES",
        "other completed,       OTHER_INPUTS OTHER_INPUTS OTHER_INPUTS Restart",
        "other completed live,  OTHER_INPUTS OTHER_INPUTS OTHER_INPUTS LIVES"
    })
    void whatIsFoundAndAskedForDecides(String plan, String decisions) {
        Found found = plan.equals("none")
                ? null
                : new Found(
                        plan.contains("other") ? DIFFERENCE : List.of(),
                        plan.contains("completed"),
                        plan.contains("live"));

        String decided = Stream.of(
                        Resumption.decide(found, Wish.NONE, OnExisting.RESUME),
                        Resumption.decide(found, Wish.NONE, OnExisting.ERROR),
                        Resumption.decide(found, Wish.RESUME, OnExisting.ERROR),
                        Resumption.decide(found, Wish.RESTART, OnExisting.ERROR))
                .map(ResumptionTest::name)
                .collect(Collectors.joining(" "));

        assertThat(decided).isEqualTo(decisions.replaceAll(" +", " "));
        assertThat(Resumption.decide(found, Wish.RESUME, OnExisting.RESUME))
                .as("--resume wins over on_existing")
                .isEqualTo(Resumption.decide(found, Wish.RESUME, OnExisting.ERROR));
    }

    @Test
    void aRefusalForOtherInputsNamesThem() {
        Found found = new Found(DIFFERENCE, false, false);

        assertThat(Resumption.decide(found, Wish.NONE, OnExisting.RESUME))
                .isEqualTo(new Resumption.Refused(Resumption.Reason.OTHER_INPUTS, DIFFERENCE));
    }

    private static String name(Resumption resumption) {
        return resumption instanceof Resumption.Refused refused
                ? refused.reason().toString()
                : resumption.getClass().getSimpleName();
    }
}
