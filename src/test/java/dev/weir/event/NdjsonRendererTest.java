package dev.weir.event;

import static dev.weir.event.Samples.AT;
import static dev.weir.event.Samples.ID;
import static dev.weir.event.Samples.RUN;
import static dev.weir.event.Samples.SINK;
import static dev.weir.event.Samples.SOURCE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.fault.Redactor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class NdjsonRendererTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Redactor SECRET = new Redactor(List.of("$ecret \"pw\""));

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private List<String> render(Event... events) {
        out.reset();
        NdjsonRenderer renderer = new NdjsonRenderer(out, SECRET);
        List.of(events).forEach(renderer::accept);
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private JsonNode json(Event event) throws IOException {
        return JSON.readTree(render(event).get(0));
    }

    private static final String CHUNK =
            ",\"backfillId\":\"d7a7c6e21e0d8ecb\",\"chunk\":{\"number\":3,\"count\":5,\"id\":\"000002\""
                    + ",\"from\":\"2026-01-03T00:00:00+00:00\",\"to\":\"2026-01-04T00:00:00+00:00\"}"
                    + ",\"chunkRunId\":\"559264ef1526bd83\"";

    private static final Map<String, List<String>> FIELDS = Map.ofEntries(
            Map.entry("run_started", List.of("projectName", "nodeCount", "pass", "now")),
            Map.entry("node_started", List.of("nodeId", "kind", "name")),
            Map.entry("node_progress", List.of("nodeId", "name", "rows", "bytes")),
            Map.entry("retry_scheduled", List.of("nodeId", "name", "attempt", "maxAttempts", "delayMs", "reason")),
            Map.entry(
                    "merge_key_duplicates_detected", List.of("nodeId", "sink", "keys", "duplicateGroups", "extraRows")),
            Map.entry(
                    "rows_outside_windows",
                    List.of("nodeId", "nullCursors", "infiniteCursors", "belowInitial", "future")),
            Map.entry(
                    "node_completed",
                    List.of(
                            "nodeId",
                            "kind",
                            "name",
                            "status",
                            "rows",
                            "bytes",
                            "durationMs",
                            "window",
                            "watermark",
                            "ceiling",
                            "atEnd",
                            "caughtUp")),
            Map.entry("watermark_advanced", List.of("key", "cursor", "type", "before", "after")),
            Map.entry("run_completed", List.of("status", "succeeded", "failed", "skipped", "durationMs")),
            Map.entry("loop_completed", List.of("passes", "stopped", "exitCode")),
            Map.entry("backfill_started", List.of("backfillId", "pipeline", "from", "to", "chunks", "pending")),
            Map.entry("chunk_started", List.of("backfillId", "chunk", "chunkRunId")),
            Map.entry("chunk_completed", List.of("backfillId", "chunk", "chunkRunId", "status", "rows", "durationMs")),
            Map.entry(
                    "backfill_completed",
                    List.of(
                            "backfillId",
                            "status",
                            "chunks",
                            "completed",
                            "skipped",
                            "claimedElsewhere",
                            "failed",
                            "pending",
                            "rows",
                            "durationMs",
                            "exitCode")));

    @Test
    void everyEventHasTheContractsFieldsInItsOrder() throws IOException {
        for (Event event : Samples.oneOfEach()) {
            List<String> names = new ArrayList<>();
            json(event).fieldNames().forEachRemaining(names::add);
            assertThat(names.subList(0, 3)).containsExactly("event", "at", "runId");
            assertThat(names.subList(3, names.size())).as(event.event()).isEqualTo(FIELDS.get(event.event()));
        }
    }

    @Test
    void noKindOfEventIsForgotten() {
        assertThat(Samples.oneOfEach().stream().map(Event::event).collect(Collectors.toSet()))
                .hasSize(Event.class.getPermittedSubclasses().length)
                .isEqualTo(FIELDS.keySet());
        assertThat(Samples.oneOfEach().stream().map(Object::getClass).collect(Collectors.toSet()))
                .isEqualTo(Arrays.stream(Event.class.getPermittedSubclasses()).collect(Collectors.toSet()));
    }

    @Test
    void theLinesAreThese() {
        String envelope = "\"at\":\"2026-09-02T09:15:00.118Z\",\"runId\":\"" + RUN + "\"";
        assertThat(render(Samples.oneOfEach().toArray(Event[]::new)))
                .containsExactly(
                        "{\"event\":\"run_started\"," + envelope
                                + ",\"projectName\":\"shop\",\"nodeCount\":2,\"pass\":1,\"now\":\"2026-09-02T09:15:00.118Z\"}",
                        "{\"event\":\"node_started\"," + envelope + ",\"nodeId\":\"" + SOURCE
                                + "\",\"kind\":\"SourceLoad\",\"name\":\"" + SOURCE + "\"}",
                        "{\"event\":\"node_progress\"," + envelope + ",\"nodeId\":\"" + SOURCE + "\",\"name\":\""
                                + SOURCE + "\",\"rows\":5000,\"bytes\":40000}",
                        "{\"event\":\"retry_scheduled\"," + envelope + ",\"nodeId\":\"" + SOURCE + "\",\"name\":\""
                                + SOURCE
                                + "\",\"attempt\":1,\"maxAttempts\":3,\"delayMs\":1250,\"reason\":\"connection reset\"}",
                        "{\"event\":\"merge_key_duplicates_detected\"," + envelope + ",\"nodeId\":\"" + SINK
                                + "\",\"sink\":\"" + SINK
                                + "\",\"keys\":[\"id\",\"day\"],\"duplicateGroups\":2,\"extraRows\":3}",
                        "{\"event\":\"rows_outside_windows\"," + envelope + ",\"nodeId\":\"" + SOURCE
                                + "\",\"nullCursors\":3,\"infiniteCursors\":0,\"belowInitial\":1,\"future\":1000}",
                        "{\"event\":\"node_completed\"," + envelope + ",\"nodeId\":\"" + SOURCE
                                + "\",\"kind\":\"SourceLoad\",\"name\":\"" + SOURCE
                                + "\",\"status\":\"success\",\"rows\":10000,\"bytes\":80000,\"durationMs\":2100,"
                                + "\"window\":{\"lower\":\"0\",\"upper\":\"10000\",\"lowerInclusive\":true},"
                                + "\"watermark\":{\"cursor\":\"id\",\"type\":\"bigint\",\"before\":null,\"after\":\"10000\"},"
                                + "\"ceiling\":\"5000000\",\"atEnd\":false,\"caughtUp\":false}",
                        "{\"event\":\"watermark_advanced\"," + envelope
                                + ",\"key\":\"pg_prod.public.orders\",\"cursor\":\"id\",\"type\":\"bigint\",\"before\":null,\"after\":\"10000\"}",
                        "{\"event\":\"run_completed\",\"at\":\"2026-09-02T09:15:03.118Z\",\"runId\":\"" + RUN
                                + "\",\"status\":\"success\",\"succeeded\":2,\"failed\":0,\"skipped\":0,\"durationMs\":3000}",
                        "{\"event\":\"loop_completed\"," + envelope
                                + ",\"passes\":500,\"stopped\":\"caught up\",\"exitCode\":0}",
                        "{\"event\":\"backfill_started\"," + envelope
                                + ",\"backfillId\":\"d7a7c6e21e0d8ecb\",\"pipeline\":\"web_events\""
                                + ",\"from\":\"2026-01-03T00:00:00+00:00\",\"to\":\"2026-01-06T00:00:00+00:00\""
                                + ",\"chunks\":5,\"pending\":3}",
                        "{\"event\":\"chunk_started\"," + envelope + CHUNK + "}",
                        "{\"event\":\"chunk_completed\"," + envelope + CHUNK
                                + ",\"status\":\"completed\",\"rows\":1000,\"durationMs\":2500}",
                        "{\"event\":\"backfill_completed\"," + envelope
                                + ",\"backfillId\":\"d7a7c6e21e0d8ecb\",\"status\":\"success\",\"chunks\":5"
                                + ",\"completed\":3,\"skipped\":2,\"claimedElsewhere\":0,\"failed\":0,\"pending\":0"
                                + ",\"rows\":3000,\"durationMs\":9000,\"exitCode\":0}");
    }

    @Test
    void aChunkSaysWhyItFailedOrCannotBeReadYetAndHidesSecrets() throws IOException {
        JsonNode failed = json(Samples.chunk(
                new ChunkOutcome.Failed(Samples.failed("no, $ecret \"pw\"").fault())));
        JsonNode pending = json(Samples.chunk(new ChunkOutcome.Pending("it ends tomorrow")));

        assertThat(failed.get("status").asText()).isEqualTo("failed");
        assertThat(failed.get("errorCode").asText()).isEqualTo("WR0503");
        assertThat(failed.get("errorMessage").asText())
                .isEqualTo("lake.orders_synced: no, ***; make room and run again");
        assertThat(failed.has("rows")).isFalse();
        assertThat(pending.get("status").asText()).isEqualTo("pending");
        assertThat(pending.get("errorMessage").asText()).isEqualTo("it ends tomorrow");
        assertThat(json(Samples.chunk(new ChunkOutcome.Skipped())).get("status").asText())
                .isEqualTo("skipped");
        assertThat(json(Samples.chunk(new ChunkOutcome.HeldElsewhere()))
                        .get("status")
                        .asText())
                .isEqualTo("claimed_elsewhere");
    }

    @Test
    void caughtUpIsThereOnlyWhereThereIsAnUntil() throws IOException {
        assertThat(json(Samples.source(1, 1, Samples.window(true)))
                        .get("caughtUp")
                        .asBoolean())
                .isTrue();
        assertThat(json(Samples.source(1, 1, Samples.window(false)))
                        .get("caughtUp")
                        .asBoolean(true))
                .isFalse();
        assertThat(json(Samples.source(1, 1, Samples.window(null))).has("caughtUp"))
                .isFalse();
        assertThat(json(Samples.source(1, 1, Samples.window(null))).has("atEnd"))
                .isTrue();
    }

    @Test
    void whatIsNoIncrementalSourceHasNoWindow() throws IOException {
        for (Event event : List.of(Samples.source(1, 1, null), Samples.sink(new Outcome.Success(), 1, 1))) {
            JsonNode node = json(event);
            for (String field :
                    List.of("window", "watermark", "ceiling", "atEnd", "skippedWindows", "caughtUp", "errorCode")) {
                assertThat(node.has(field)).as(field).isFalse();
            }
        }
    }

    @Test
    void skippedWindowsAreThereOnlyWhereSomeWere() throws IOException {
        assertThat(json(Samples.source(0, 1, Samples.jumped(99_998)))
                        .get("skippedWindows")
                        .asLong())
                .isEqualTo(99_998);
        assertThat(json(Samples.source(0, 1, Samples.jumped(0))).has("skippedWindows"))
                .isFalse();
    }

    @Test
    void aPassThatAskedForNothingHasNoWindowAndKeepsItsWatermark() throws IOException {
        JsonNode node = json(Samples.source(
                0,
                1,
                new Incremental(null, ID, Samples.id(25), Samples.id(25), Samples.id(25), true, null, 0, null, true)));
        assertThat(node.get("window").isNull()).isTrue();
        assertThat(node.get("watermark").get("before").asText()).isEqualTo("25");
        assertThat(node.get("watermark").get("after").asText()).isEqualTo("25");
    }

    @Test
    void aFailureHasACodeAndAMessageWithoutSecrets() throws IOException {
        JsonNode node = json(Samples.sink(Samples.failed("password $ecret \"pw\" was refused"), 0, 3));
        assertThat(node.get("status").asText()).isEqualTo("failed");
        assertThat(node.get("errorCode").asText()).isEqualTo("WR0503");
        assertThat(node.get("errorMessage").asText())
                .isEqualTo("lake.orders_synced: password *** was refused; make room and run again");
        JsonNode retry = json(new Event.RetryScheduled(AT, RUN, SOURCE, SOURCE, 1, 3, 1, "no $ecret \"pw\""));
        assertThat(retry.get("reason").asText()).isEqualTo("no ***");
    }

    @Test
    void whatIsSkippedSaysBelowWhat() throws IOException {
        JsonNode node = json(Samples.sink(Outcome.Skipped.below(SOURCE), 0, 0));
        assertThat(node.get("status").asText()).isEqualTo("skipped");
        assertThat(node.has("errorCode")).isFalse();
        assertThat(node.get("errorMessage").asText()).isEqualTo(SOURCE + " above failed");
    }

    @Test
    void aLineStaysALineWhateverIsInIt() throws IOException {
        List<String> lines =
                render(Samples.sink(Samples.failed("a\nb\r\nc \u0000 \u2028 ü世 \ud83d\ude00 \"q\""), 0, 3));
        assertThat(lines).hasSize(1);
        assertThat(JSON.readTree(lines.get(0)).get("errorMessage").asText()).contains("a\nb\r\nc \u0000 \u2028 ü世 😀");
    }

    @Test
    void timesHaveThreeDigitsAndAreCutNotRounded() {
        assertThat(EventFields.time(Instant.parse("2026-01-01T00:00:00Z"))).isEqualTo("2026-01-01T00:00:00.000Z");
        assertThat(EventFields.time(Instant.parse("2026-01-01T00:00:00.999999999Z")))
                .isEqualTo("2026-01-01T00:00:00.999Z");
    }

    @Test
    void aReaderThatGoesAwayEndsTheOutputWithoutHalfALine() {
        int[] writes = {0};
        OutputStream pipe = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("a byte alone is half a line");
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                if (++writes[0] > 2) {
                    throw new IOException("Broken pipe");
                }
                out.write(bytes, offset, length);
            }
        };
        for (OutputStream stream : List.of(pipe, new PrintStream(pipe))) {
            writes[0] = 0;
            out.reset();
            NdjsonRenderer renderer = new NdjsonRenderer(stream, Redactor.NONE);
            Samples.oneOfEach().forEach(renderer::accept);
            assertThat(renderer.isBroken()).isTrue();
            assertThat(out.toString(StandardCharsets.UTF_8).lines()).hasSize(2);
            assertThat(writes[0]).isEqualTo(3);
        }
    }
}
