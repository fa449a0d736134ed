package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class LiteralsVectorTest {

    @TestFactory
    Stream<DynamicTest> everyLiteralIsReadOrRefused() {
        return Vectors.cases("literals.json", LiteralsVectorTest::check);
    }

    private static void check(Vectors.Case vector) {
        CursorType type = vector.type();
        String text = vector.given().get("text").textValue();
        if (vector.expect().has("refused")) {
            assertThatThrownBy(() -> type.parse(text))
                    .isInstanceOf(LiteralException.class)
                    .hasMessageContaining("'" + text + "'");
            return;
        }
        assertThat(type.parse(text))
                .hasToString(vector.expect().get("value").textValue())
                .isEqualTo(Vectors.value(type, vector.expect().get("value")));
    }
}
