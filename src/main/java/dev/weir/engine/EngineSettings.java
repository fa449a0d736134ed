package dev.weir.engine;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a {@link DuckEngine} runs.
 *
 * @param memoryLimit DuckDB's own limit, outside the Java heap, as DuckDB reads it: {@code 4GB}; empty: DuckDB's default
 * @param threads DuckDB's worker threads; empty: one for each core but one
 * @param tempDirectory where DuckDB spills; belongs to the engine alone and is deleted when it closes
 * @param searchPath what relative paths in SQL are relative to; empty: the process's folder
 * @param patience how long to wait for a file another process holds
 * @param pause how to wait
 */
public record EngineSettings(
        Optional<String> memoryLimit,
        OptionalInt threads,
        Path tempDirectory,
        Optional<Path> searchPath,
        Duration patience,
        Pause pause) {

    /** How long a file held by another process is waited for unless told otherwise. */
    public static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(10);

    /** Leaves a core to the source, or to what reads the next slice meanwhile. */
    int usualThreads() {
        return threads.orElse(Math.max(1, cores() - 1));
    }

    /** More than there are cores: with as many, one of them does nothing in one fold of five, as measured. */
    int foldingThreads() {
        return threads.orElse(cores() + 2);
    }

    private static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }

    /** DuckDB's own defaults, spilling into the directory. */
    public static EngineSettings spillingTo(Path tempDirectory) {
        return new EngineSettings(
                Optional.empty(),
                OptionalInt.empty(),
                tempDirectory,
                Optional.empty(),
                DEFAULT_PATIENCE,
                duration -> Thread.sleep(duration.toMillis()));
    }

    public EngineSettings withMemoryLimit(String limit) {
        return new EngineSettings(Optional.of(limit), threads, tempDirectory, searchPath, patience, pause);
    }

    public EngineSettings withThreads(int count) {
        return new EngineSettings(memoryLimit, OptionalInt.of(count), tempDirectory, searchPath, patience, pause);
    }

    public EngineSettings withSearchPath(Path folder) {
        return new EngineSettings(memoryLimit, threads, tempDirectory, Optional.of(folder), patience, pause);
    }

    public EngineSettings withPatience(Duration longest, Pause how) {
        return new EngineSettings(memoryLimit, threads, tempDirectory, searchPath, longest, how);
    }

    /** Lets time pass. */
    @FunctionalInterface
    public interface Pause {
        void pause(Duration duration) throws InterruptedException;
    }
}
