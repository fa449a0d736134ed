package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class PositionsVectorTest {

    @TestFactory
    Stream<DynamicTest> everySinkStandsWhereTheTableSays() {
        return Vectors.cases("positions.json", PositionsVectorTest::check);
    }

    private static void check(Vectors.Case vector) {
        CursorType type = vector.type();
        Optional<Reconciliation.Refresh> refresh = refresh(vector.given());
        List<Standing> selected = new ArrayList<>();
        boolean committed = false;
        for (JsonNode sink : vector.given().get("sinks")) {
            Standing standing = standing(type, sink);
            committed |= refresh.filter(noted ->
                            Reconciliation.hasCommitted(noted, standing.sink(), standing.state(), standing.mark()))
                    .isPresent();
            if (sink.get("selected").booleanValue()) {
                selected.add(standing);
            }
        }
        Map<String, Verdict> verdicts = Reconciliation.decide(selected, refresh, committed);
        assertVerdicts(type, verdicts, vector.expect().get("sinks"));
        if (verdicts.values().stream().allMatch(Verdict.Stands.class::isInstance)) {
            checkPass(vector, verdicts);
        } else {
            assertThat(vector.expect().size()).isEqualTo(1);
        }
    }

    private static void checkPass(Vectors.Case vector, Map<String, Verdict> verdicts) {
        Sync sync = vector.sync();
        CursorValue ceiling =
                Ceiling.of(sync, vector.fractionDigits(), vector.measured()).orElse(null);
        Map<String, @Nullable CursorValue> positions = new LinkedHashMap<>();
        verdicts.forEach((sink, verdict) -> positions.put(sink, ((Verdict.Stands) verdict).position()));
        Participation participation = Participation.of(positions);
        SourceRows source = vector.given().has("rows") ? vector.rows() : new SourceRows(sync.type());
        Pass pass = Pass.over(source, new Slice.From(sync, participation.lower(), ceiling, participation.nextHigher()));
        vector.forEachExpected((key, expected) -> {
            switch (key) {
                case "sinks" -> {}
                case "participants" ->
                    assertThat(participation.participants()).as(key).isEqualTo(texts(expected));
                case "skip" -> assertThat(participation.ahead()).as(key).isEqualTo(texts(expected));
                case "lower" ->
                    assertThat(participation.lower()).as(key).isEqualTo(Vectors.value(sync.type(), expected));
                default -> SlicesVectorTest.assertPass(key, expected, sync, ceiling, pass);
            }
        });
    }

    private static void assertVerdicts(CursorType type, Map<String, Verdict> verdicts, JsonNode expected) {
        assertThat(verdicts.keySet()).isEqualTo(Set.copyOf(names(expected)));
        verdicts.forEach((sink, verdict) -> {
            assertThat(action(verdict))
                    .as("action of %s", sink)
                    .isEqualTo(expected.get(sink).get("action").textValue());
            if (verdict instanceof Verdict.Stands stands) {
                assertThat(stands.position())
                        .as("where %s stands", sink)
                        .isEqualTo(Vectors.value(type, expected.get(sink).get("stands")));
            }
        });
    }

    private static String action(Verdict verdict) {
        if (verdict instanceof Verdict.Stands stands) {
            return stands.reason().name().toLowerCase(Locale.ROOT);
        }
        return switch (((Verdict.Refused) verdict).disagreement()) {
            case BACK_IN_APPEND -> "WR0529";
            case ROWS_WITHOUT_MARK, ROWS_MISSING, TABLE_GONE, TABLE_EMPTIED -> "WR0528";
        };
    }

    private static Optional<Reconciliation.Refresh> refresh(JsonNode given) {
        return Optional.ofNullable(given.get("refresh"))
                .map(noted -> new Reconciliation.Refresh(
                        noted.get("number").longValue(), new LinkedHashSet<>(texts(noted.get("sinks")))));
    }

    private static Standing standing(CursorType type, JsonNode sink) {
        return new Standing(
                sink.get("name").textValue(),
                sink.get("marks").booleanValue(),
                Strategy.named(sink.get("strategy").textValue()).orElseThrow(),
                "accept".equals(Vectors.textOf(sink, "duplicates")),
                sink.hasNonNull("state") ? state(type, sink.get("state")) : null,
                sink.hasNonNull("mark") ? mark(type, sink.get("mark")) : null,
                table(sink.get("table").textValue()));
    }

    private static Position state(CursorType type, JsonNode state) {
        return new Position(
                new Cursor("c", type),
                state.get("generation").longValue(),
                Vectors.value(type, state.get("generation_start")),
                Vectors.value(type, state.get("value")),
                Vectors.value(type, state.get("stood")),
                "run",
                Instant.EPOCH);
    }

    private static Mark mark(CursorType type, JsonNode mark) {
        return new Mark(
                new Cursor("c", type),
                mark.get("generation").longValue(),
                null,
                1,
                Vectors.value(type, mark.get("value")),
                1,
                mark.get("table_empty").booleanValue(),
                "run",
                Instant.EPOCH);
    }

    private static Standing.Table table(String text) {
        return switch (text) {
            case "rows" -> Standing.Table.ROWS;
            case "empty" -> Standing.Table.EMPTY;
            case "gone" -> Standing.Table.GONE;
            case "other pipeline" -> Standing.Table.OTHER_PIPELINES_ROWS;
            default -> throw new AssertionError(text);
        };
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.textValue()));
        return texts;
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
