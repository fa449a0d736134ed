package dev.weir.event;

import static dev.weir.event.Samples.AT;
import static dev.weir.event.Samples.RUN;
import static dev.weir.event.Samples.SOURCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.fault.Redactor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFolderTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path project;

    private final List<String> notes = new ArrayList<>();

    private RunFolder open() {
        return RunFolder.open(project.resolve(".weir"), RUN, new Redactor(List.of("$ecret")), notes::add);
    }

    private JsonNode results() throws IOException {
        return JSON.readTree(
                project.resolve(".weir/runs/" + RUN + "/run_results.json").toFile());
    }

    @Test
    void theFinalStatusComesLast() throws IOException {
        RunFolder folder = open();
        folder.accept(Samples.started(1));
        assertThat(results().get("status").asText()).isEqualTo("running");
        folder.accept(Samples.source(10, 5, Samples.window(true)));
        folder.accept(Samples.completed(RunStatus.SUCCESS, 1, 0, 0));
        assertThat(results().get("status").asText()).isEqualTo("running");
        assertThat(results().has("endedAt")).isFalse();
        folder.finish(RunStatus.SUCCESS, AT.plusSeconds(4), 0);
        assertThat(results().get("status").asText()).isEqualTo("success");
        assertThat(results().get("endedAt").asText()).isEqualTo("2026-09-02T09:15:04.118Z");
        assertThat(results().get("exitCode").asInt(-1)).isZero();
        assertThat(notes).isEmpty();
    }

    @Test
    void aRunThatFollowsShowsItsResultsOnceItHasLasted() throws IOException {
        RunFolder folder = open();
        Path results = folder.path().resolve("run_results.json");
        folder.accept(Samples.started(2));
        folder.accept(at(AT.plusMillis(999)));
        assertThat(results).doesNotExist();
        folder.accept(at(AT.plusMillis(1_000)));
        assertThat(results().get("status").asText()).isEqualTo("running");
        folder.finish(RunStatus.SUCCESS, AT.plusSeconds(4), null);
        assertThat(results().get("status").asText()).isEqualTo("success");
    }

    @Test
    void aShortRunThatFollowsHasItsResultsAtItsEnd() throws IOException {
        RunFolder folder = open();
        folder.accept(Samples.started(2));
        folder.accept(Samples.source(10, 5, Samples.window(true)));
        folder.finish(RunStatus.SUCCESS, AT.plusMillis(20), null);
        assertThat(results().get("status").asText()).isEqualTo("success");
        assertThat(results().get("nodes")).hasSize(1);
    }

    private static Event at(Instant instant) {
        return new Event.NodeProgress(instant, RUN, SOURCE, "pg.orders", 1, 0);
    }

    @Test
    void theResultsHoldEachNodesNewestCompletion() throws IOException {
        RunFolder folder = open();
        for (int pass = 1; pass <= 3; pass++) {
            folder.accept(Samples.started(pass));
            folder.accept(Samples.source(10, 5, Samples.window(pass == 3)));
            if (pass == 1) {
                folder.accept(Samples.sink(Samples.failed("no $ecret"), 0, 1));
            }
            folder.accept(Samples.completed(RunStatus.SUCCESS, 1, 0, 0));
        }
        folder.accept(new Event.LoopCompleted(AT, RUN, 3, "caught up", 0));
        folder.finish(RunStatus.SUCCESS, AT, 0);
        assertThat(results().get("passes").asInt()).isEqualTo(3);
        assertThat(results().get("stopped").asText()).isEqualTo("caught up");
        JsonNode source = results().get("nodes").get(0);
        assertThat(source.get("nodeId").asText()).isEqualTo(SOURCE);
        assertThat(source.get("rows").asLong()).isEqualTo(10);
        assertThat(source.get("rowsOfAllPasses").asLong()).isEqualTo(30);
        assertThat(source.get("caughtUp").asBoolean()).isTrue();
        assertThat(source.get("watermark").get("after").asText()).isEqualTo("10000");
        JsonNode sink = results().get("nodes").get(1);
        assertThat(sink.get("pass").asInt()).isEqualTo(1);
        assertThat(sink.get("errorCode").asText()).isEqualTo("WR0503");
        assertThat(sink.get("errorMessage").asText()).doesNotContain("$ecret").contains("***");
    }

    @Test
    void theEventsAreOneLineEachAsOnStdout() throws IOException {
        RunFolder folder = open();
        Samples.oneOfEach().forEach(folder::accept);
        List<String> lines = Files.readAllLines(folder.path().resolve("events.ndjson"));
        assertThat(lines).hasSize(Samples.oneOfEach().size());
        for (String line : lines) {
            assertThat(JSON.readTree(line).get("runId").asText()).isEqualTo(RUN);
        }
    }

    @Test
    void onlyTheOwnerMayReadAnyOfIt() throws IOException {
        RunFolder folder = open();
        Samples.oneOfEach().forEach(folder::accept);
        folder.finish(RunStatus.SUCCESS, AT, 0);
        try (var walk = Files.walk(project.resolve(".weir"))) {
            for (Path path : walk.toList()) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                        .as(path.toString())
                        .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------");
            }
        }
        try (var files = Files.list(folder.path())) {
            assertThat(files.map(Path::getFileName).map(Path::toString))
                    .containsExactlyInAnyOrder("events.ndjson", "run_results.json");
        }
    }

    @Test
    void aReaderFindsAWholeFileAtAnyMoment() throws Exception {
        RunFolder folder = open();
        folder.accept(Samples.started(1));
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Integer> reader = CompletableFuture.supplyAsync(() -> {
            int read = 0;
            try {
                while (!done.get() || read == 0) {
                    assertThat(results().get("runId").asText()).isEqualTo(RUN);
                    read++;
                }
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
            return read;
        });
        for (int pass = 2; pass < 100; pass++) {
            folder.accept(Samples.started(pass));
            folder.accept(Samples.source(pass, 5, Samples.window(true)));
            folder.accept(Samples.completed(RunStatus.SUCCESS, 1, 0, 0));
        }
        done.set(true);
        assertThat(reader.get()).isPositive();
    }

    @Test
    void aFolderThatCannotBeMadeIsOneNote() throws IOException {
        Files.createDirectory(project.resolve(".weir"));
        Files.writeString(project.resolve(".weir/runs"), "in the way");
        RunFolder folder = open();
        Samples.oneOfEach().forEach(folder::accept);
        folder.finish(RunStatus.SUCCESS, AT, 0);
        assertThat(notes).hasSize(1).first().asString().contains("runs", "not written", "the run itself goes on");
    }

    @Test
    void aFolderThatVanishesIsANoteForEachFile() throws IOException {
        RunFolder folder = open();
        Files.delete(folder.path());
        Samples.oneOfEach().forEach(folder::accept);
        folder.finish(RunStatus.SUCCESS, AT, 0);
        assertThat(notes)
                .hasSize(2)
                .anyMatch(note -> note.contains("events.ndjson"))
                .anyMatch(note -> note.contains("run_results.json"));
        assertThatThrownBy(this::results).isInstanceOfAny(NoSuchFileException.class, IOException.class);
    }

    @Test
    void aFullDiskIsANote() {
        Path full = Path.of("/dev/full");
        org.junit.jupiter.api.Assumptions.assumeTrue(Files.exists(full), "needs /dev/full");
        RunFolder folder = open();
        link(folder.path().resolve("events.ndjson"), full);
        Samples.oneOfEach().forEach(folder::accept);
        assertThat(notes).hasSize(1).first().asString().contains("events.ndjson", "No space left");
    }

    private static void link(Path name, Path target) {
        try {
            Files.createSymbolicLink(name, target);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void anInterruptedThreadStillWritesTheEnd() throws IOException {
        RunFolder folder = open();
        folder.accept(Samples.started(1));
        Thread.currentThread().interrupt();
        try {
            folder.accept(Samples.completed(RunStatus.CANCELLED, 0, 0, 0));
            folder.finish(RunStatus.CANCELLED, AT, 3);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(results().get("status").asText()).isEqualTo("cancelled");
        assertThat(Files.readAllLines(folder.path().resolve("events.ndjson"))).hasSize(2);
        assertThat(notes).isEmpty();
    }

    @Test
    void aRunIdIsOneNameAndNoPath() {
        for (String id : List.of("..", ".", "", "a/b", "a\\b", "../x")) {
            assertThatThrownBy(() -> RunFolder.open(project, id, Redactor.NONE, notes::add))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
