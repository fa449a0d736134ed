package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class LoopsVectorTest {

    @TestFactory
    Stream<DynamicTest> everyLoopRunsPassByPassToItsEnd() {
        return Vectors.cases("loops.json", LoopsVectorTest::check);
    }

    private static void check(Vectors.Case vector) {
        Sync sync = vector.sync();
        CursorValue ceiling =
                Ceiling.of(sync, vector.fractionDigits(), vector.measured()).orElse(null);
        CursorValue lower = Vectors.value(sync.type(), vector.given().get("lower"));
        int most = vector.expect().get("count").intValue();
        List<Pass> passes = passes(vector.rows(), new Slice.From(sync, lower, ceiling, null), most);
        vector.forEachExpected((key, expected) -> {
            switch (key) {
                case "ceiling" -> assertThat(ceiling).as(key).isEqualTo(Vectors.value(sync.type(), expected));
                case "count" -> assertThat(passes).as(key).hasSize(expected.intValue());
                case "delivered" ->
                    assertThat(passes.stream()
                                    .mapToInt(pass -> pass.rows().size())
                                    .sum())
                            .as(key)
                            .isEqualTo(expected.intValue());
                case "passes" ->
                    assertThat(passes.stream().map(pass -> told(sync, pass)).toList())
                            .as(key)
                            .isEqualTo(told(expected));
                default -> throw new AssertionError("a key no check knows: " + key);
            }
        });
    }

    private static List<Pass> passes(SourceRows source, Slice.From first, int most) {
        List<Pass> passes = new ArrayList<>();
        Slice.From from = first;
        while (passes.size() <= most) {
            Pass pass = Pass.over(source, from);
            passes.add(pass);
            if (pass.advance().atEnd()) {
                break;
            }
            from = new Slice.From(from.sync(), pass.position(), from.ceiling(), null);
        }
        return passes;
    }

    /** A pass as one line of text, so that a whole loop is compared and shown at once. */
    private static String told(Sync sync, Pass pass) {
        return told(pass.rows().size(), pass.position(), pass.advance().atEnd(), pass.caughtUp(sync));
    }

    private static List<String> told(JsonNode passes) {
        List<String> lines = new ArrayList<>();
        passes.forEach(pass -> lines.add(told(
                pass.get(0).intValue(),
                pass.get(1).textValue(),
                pass.get(2).booleanValue(),
                pass.get(3).isNull() ? null : pass.get(3).booleanValue())));
        return lines;
    }

    private static String told(int rows, @Nullable Object position, boolean atEnd, @Nullable Boolean caughtUp) {
        return rows + " rows, at " + position + ", atEnd " + atEnd + ", caughtUp " + caughtUp;
    }
}
