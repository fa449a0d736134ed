package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ChunksVectorTest {

    @TestFactory
    Stream<DynamicTest> everyPlanIsCutOrRefused() {
        return Vectors.cases("chunks.json", ChunksVectorTest::check);
    }

    private static void check(Vectors.Case vector) {
        if (vector.expect().has("refused")) {
            assertThatThrownBy(vector::backfill).isInstanceOf(Backfill.BackfillException.class);
            return;
        }
        Backfill plan = vector.backfill();
        vector.forEachExpected((key, expected) -> {
            switch (key) {
                case "count" -> assertThat(plan.count()).isEqualTo(expected.intValue());
                case "warns" -> assertThat(plan.isLarge()).isEqualTo(expected.booleanValue());
                case "chunks" -> assertThat(ends(plan.chunks())).isEqualTo(ends(expected));
                case "first" ->
                    assertThat(ends(plan.chunks().subList(0, expected.size()))).isEqualTo(ends(expected));
                case "last" ->
                    assertThat(ends(plan.chunks().subList(plan.count() - expected.size(), plan.count())))
                            .isEqualTo(ends(expected));
                default -> throw new IllegalArgumentException(key);
            }
        });
    }

    private static List<String> ends(List<Chunk> chunks) {
        return chunks.stream().map(chunk -> chunk.from() + " " + chunk.to()).toList();
    }

    private static List<String> ends(JsonNode chunks) {
        List<String> ends = new ArrayList<>();
        chunks.forEach(
                chunk -> ends.add(chunk.get(0).textValue() + " " + chunk.get(1).textValue()));
        return ends;
    }
}
