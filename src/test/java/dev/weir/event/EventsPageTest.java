package dev.weir.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.fault.Redactor;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.HeldBack;
import dev.weir.slicing.Step;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The page of events names each event and each of its fields, and those of run_results.json. */
class EventsPageTest {

    private static final List<String> ENVELOPE = List.of("event", "at", "runId");

    private final String page;
    private final EventFields fields = new EventFields(new Redactor(List.of()));

    EventsPageTest() throws IOException {
        page = Files.readString(Path.of("docs/events.md"));
    }

    static List<Event> events() {
        List<Event> events = new ArrayList<>(Samples.oneOfEach());
        events.add(Samples.source(0, 1, withEveryField()));
        events.add(Samples.sink(Samples.failed("disk full"), 0, 1));
        events.add(Samples.sink(new Outcome.Success(3), 2, 1));
        events.add(Samples.chunk(
                new ChunkOutcome.Failed(Samples.failed("disk full").fault())));
        events.add(Samples.chunk(new ChunkOutcome.Pending("it ends tomorrow")));
        return events;
    }

    private static Incremental withEveryField() {
        CursorValue value = Samples.id(1);
        return new Incremental(
                new Incremental.Window(value, value, true, new Step(value.type(), BigInteger.TEN)),
                Samples.ID,
                value,
                value,
                value,
                true,
                BigInteger.ONE,
                1,
                new HeldBack("open transaction", Samples.AT, List.of("pid 4711 (app, psql)")),
                true);
    }

    private static List<String> names(JsonNode json) {
        List<String> names = new ArrayList<>();
        json.properties().forEach(field -> {
            names.add(field.getKey());
            names.addAll(names(field.getValue()));
        });
        return names;
    }

    private static String[] quoted(List<String> names) {
        return names.stream().map(name -> "`" + name + "`").toArray(String[]::new);
    }

    private String part(String from, String to) {
        int start = page.indexOf(from);
        assertThat(start).as(from).isNotNegative();
        return page.substring(start, page.indexOf(to, start + from.length()));
    }

    @ParameterizedTest
    @MethodSource("events")
    void everyEventHasARowWithItsFields(Event event) {
        List<String> names = names(fields.of(event));
        names.removeAll(ENVELOPE);
        String row = part("| `" + event.event() + "` |", "\n");
        String told = event instanceof Event.NodeCompleted ? part("\n`node_completed`:", "\n## ") : row;

        assertThat(told).contains(quoted(names));
    }

    @Test
    void everyKindOfEventIsAmongThem() {
        assertThat(events().stream().map(Object::getClass).distinct())
                .containsExactlyInAnyOrder(Event.class.getPermittedSubclasses());
    }

    @Test
    void theResultsHaveRowsForTheirFields() throws IOException {
        RunResults results = new RunResults(Samples.RUN, fields);
        events().forEach(results::accept);
        results.finish(RunStatus.SUCCESS, Samples.AT.plusSeconds(9), 0);
        JsonNode json = new ObjectMapper().readTree(results.json());
        List<String> names = names(json);
        json.path("nodes").forEach(node -> names.addAll(names(node)));

        assertThat(page.substring(page.indexOf("\n`node_completed`:"))).contains(quoted(names));
    }
}
