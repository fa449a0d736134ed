package dev.weir.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.bench.Command.FailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What weir told about a run, as {@code docs/events.md} describes it. */
record Events(List<JsonNode> all) {

    private static final ObjectMapper JSON = new ObjectMapper();

    static Events of(Path file) throws IOException {
        List<JsonNode> all = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            all.add(JSON.readTree(line));
        }
        return new Events(List.copyOf(all));
    }

    private Stream<JsonNode> named(String event) {
        return all.stream().filter(node -> node.path("event").asText().equals(event));
    }

    /** How long staging took, in milliseconds: the work of the source's node, in every pass. */
    double staging(String nodeId) throws FailedException {
        List<Double> millis = named("node_completed")
                .filter(node -> node.path("nodeId").asText().equals(nodeId))
                .map(node -> node.path("durationMs").asDouble())
                .toList();
        if (millis.isEmpty()) {
            throw new FailedException("weir told nothing of " + nodeId);
        }
        return millis.stream().mapToDouble(Double::doubleValue).sum();
    }

    /**
     * How long each pass of a loop took, in milliseconds: from the end of the one before, so that nothing between passes is
     * left out, and a slice that is read ahead counts once.
     */
    List<Double> passes() {
        List<Double> passes = new ArrayList<>();
        Instant before = at(named("run_started").findFirst().orElseThrow());
        for (JsonNode completed : named("run_completed").toList()) {
            Instant end = at(completed);
            passes.add((double) Duration.between(before, end).toMillis());
            before = end;
        }
        return passes;
    }

    /** How long each pass was busy with a source and all below it, in milliseconds: from its first event to its last. */
    List<Double> busyWith(String nodeId) {
        List<Double> busy = new ArrayList<>();
        Instant started = Instant.EPOCH;
        for (JsonNode event : all) {
            if (!event.path("nodeId").asText().equals(nodeId)) {
                continue;
            }
            if (event.path("event").asText().equals("node_started")) {
                started = at(event);
            } else if (event.path("event").asText().equals("node_completed")) {
                busy.add((double) Duration.between(started, at(event)).toMillis());
            }
        }
        return busy;
    }

    private static Instant at(JsonNode event) {
        return Instant.parse(event.path("at").asText());
    }
}
