package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class StepsVectorTest {

    @TestFactory
    Stream<DynamicTest> everyWindowIsReadOrRefused() {
        return Vectors.cases("steps.json", StepsVectorTest::check);
    }

    private static void check(Vectors.Case vector) {
        CursorType type = vector.type();
        String text = vector.given().get("max_window").textValue();
        if (vector.expect().has("refused")) {
            assertThatThrownBy(() -> Step.parse(type, text))
                    .isInstanceOf(LiteralException.class)
                    .hasMessageContaining("'" + text + "'");
            return;
        }
        BigDecimal amount = new BigDecimal(Step.parse(type, text).units(), type.scale());
        assertThat(amount).isEqualByComparingTo(vector.expect().get("amount").textValue());
    }
}
