package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class IdentitiesVectorTest {

    @TestFactory
    Stream<DynamicTest> everyPlanAndChunkHasItsId() {
        return Vectors.cases("identities.json", IdentitiesVectorTest::check);
    }

    private static void check(Vectors.Case vector) {
        Backfill plan = vector.backfill();
        BackfillIdentity identity = new BackfillIdentity(
                vector.given().get("pipeline").textValue(),
                plan,
                Vectors.textOf(vector.given(), "cursor"),
                Vectors.textOf(vector.given(), "into"));
        vector.forEachExpected((key, expected) -> {
            switch (key) {
                case "chunk" ->
                    assertThat(plan.step() == null ? "whole" : plan.step().toString())
                            .isEqualTo(expected.textValue());
                case "identity" -> assertThat(identity.text()).isEqualTo(expected.textValue());
                case "backfill_id" -> assertThat(identity.backfillId()).isEqualTo(expected.textValue());
                case "count" -> assertThat(plan.count()).isEqualTo(expected.intValue());
                case "runs" -> assertThat(runs(identity, 0, plan.count())).isEqualTo(runs(expected));
                case "first_runs" ->
                    assertThat(runs(identity, 0, expected.size())).isEqualTo(runs(expected));
                case "last_runs" ->
                    assertThat(runs(identity, plan.count() - expected.size(), plan.count()))
                            .isEqualTo(runs(expected));
                default -> throw new IllegalArgumentException(key);
            }
        });
    }

    private static List<String> runs(BackfillIdentity identity, int from, int to) {
        return identity.plan().chunks().subList(from, to).stream()
                .map(chunk -> chunk.spelled() + " " + identity.runId(chunk))
                .toList();
    }

    private static List<String> runs(JsonNode expected) {
        List<String> runs = new ArrayList<>();
        expected.forEach(run -> runs.add("[" + run.get(0).textValue() + " → "
                + run.get(1).textValue() + ") " + run.get(2).textValue()));
        return runs;
    }
}
