package dev.weir.event;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.fault.IoReason;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The folders of former runs below {@code .weir/runs}: what they say, and their removal.
 *
 * <p>Only folders named as runs are named are ever looked at; links are not followed. Thread-safe, and harmless while
 * other processes write or remove such folders.
 */
public final class RunFiles {

    /** A run's id begins with its time to the millisecond, and sorts by it. */
    private static final Pattern RUN_ID = Pattern.compile("[0-9]{8}T[0-9]{9}Z-[0-9a-f]{4}");

    private final Path runs;

    private RunFiles(Path runs) {
        this.runs = runs;
    }

    /** @param weirDir the project's {@code .weir} */
    public static RunFiles in(Path weirDir) {
        return new RunFiles(weirDir.resolve("runs"));
    }

    /** What is left of a run's results. */
    public sealed interface Results {}

    /** @param json the content of its {@code run_results.json} */
    public record Read(JsonNode json) implements Results {}

    /** @param why as a sentence for a person */
    public record Missing(String why) implements Results {}

    /** The results of a run; never fails. */
    public Results results(String runId) {
        Path folder = runs.resolve(runId);
        Path file = folder.resolve("run_results.json");
        try {
            String text = Files.readString(file);
            return text.isEmpty()
                    ? new Missing(file + " is empty: the machine went down while the run was under way")
                    : new Read(new ObjectMapper().readTree(text));
        } catch (NoSuchFileException e) {
            String gone = Files.exists(folder) ? file.toString() : folder.toString();
            return new Missing(gone + " is gone: retention removes the files of old runs, or it was never"
                    + " written, as of a pass of a loop that was cut short");
        } catch (JsonProcessingException e) {
            return new Missing(file + " is no JSON: it is damaged");
        } catch (IOException e) {
            return new Missing(file + " cannot be read: " + IoReason.of(e));
        }
    }

    /**
     * The ids of the runs that have a folder, in their order.
     *
     * @throws IOException when the folder cannot be listed
     */
    public Set<String> ids() throws IOException {
        Set<String> ids = new TreeSet<>();
        if (!Files.isDirectory(runs)) {
            return ids;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(runs)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                if (RUN_ID.matcher(name).matches() && Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                    ids.add(name);
                }
            }
        } catch (java.nio.file.DirectoryIteratorException e) {
            throw e.getCause();
        }
        return ids;
    }

    /**
     * Removes the folder of a run, if it is there.
     *
     * @throws IOException when something of it cannot be removed
     */
    public void remove(String runId) throws IOException {
        try {
            Files.walkFileTree(runs.resolve(runId), new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) throws IOException {
                    if (e != null) {
                        throw e;
                    }
                    Files.deleteIfExists(folder);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (NoSuchFileException e) {
            // Another process removed it first.
        }
    }
}
