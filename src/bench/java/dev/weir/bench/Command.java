package dev.weir.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A command of the machine, measured from its start to its end. */
record Command(List<String> words, Path folder, Path output) {

    private static final Path NOWHERE = Path.of("/dev/null");
    private static final int LINES_OF_A_FAILURE = 12;
    private static final long SECONDS_TO_END = 10;
    private static final long LOOKED_AT_EVERY_MILLIS = 20;

    /**
     * What a process took.
     *
     * @param millis on the clock
     * @param cpuMillis of all cores together, of this process without those it started
     * @param peakMib the most memory it held at once, in MiB; 0 where the system does not tell
     */
    record Taken(double millis, double cpuMillis, double peakMib) {}

    /** What it could not be measured for. */
    static final class FailedException extends Exception {
        FailedException(String message) {
            super(message);
        }
    }

    /** One whose output nobody reads. */
    static Command silent(Path folder, String... words) {
        return new Command(List.of(words), folder, NOWHERE);
    }

    /** Runs it to its end. Its error output goes to a file beside its folder, and is told when it fails. */
    Taken run() throws IOException, InterruptedException, FailedException {
        Path errors = Files.createTempFile(folder, "errors", ".txt");
        try {
            long start = System.nanoTime();
            Process process = new ProcessBuilder(words)
                    .directory(folder.toFile())
                    .redirectInput(NOWHERE.toFile())
                    .redirectOutput(output.toFile())
                    .redirectError(errors.toFile())
                    .start();
            Thread ending = new Thread(() -> end(process));
            Runtime.getRuntime().addShutdownHook(ending);
            double peak = 0;
            Duration cpu = Duration.ZERO;
            while (!process.waitFor(LOOKED_AT_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
                peak = Math.max(peak, peakMib(process.pid()));
                cpu = process.info().totalCpuDuration().orElse(cpu);
            }
            double millis = (System.nanoTime() - start) / 1e6;
            Runtime.getRuntime().removeShutdownHook(ending);
            if (process.exitValue() != 0) {
                throw new FailedException(String.join(" ", words) + " ended with " + process.exitValue() + ":\n"
                        + lastLines(errors) + (output.equals(NOWHERE) ? "" : lastLines(output)));
            }
            return new Taken(millis, cpu.toNanos() / 1e6, peak);
        } finally {
            Files.delete(errors);
        }
    }

    /** Waits for it, since its folder is deleted next. */
    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        try {
            process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }

    private static double peakMib(long pid) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
            return lines.filter(line -> line.startsWith("VmHWM:"))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) / 1024)
                    .findFirst()
                    .orElse(0);
        } catch (NoSuchFileException | java.io.UncheckedIOException e) {
            return 0;
        }
    }

    private static String lastLines(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES_OF_A_FAILURE), lines.size()));
    }
}
