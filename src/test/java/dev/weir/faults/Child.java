package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.run.Faults;
import dev.weir.testing.Jvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/** Weir in a process of its own, which may die. Ended by force when the test leaves it behind. */
final class Child implements AutoCloseable {

    /** Far longer than anything here takes on a busy machine. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final List<String> OPTIONS = Stream.concat(
                    Jvm.SHORT_LIVED.stream(), Stream.of("-Xmx256m", "-Duser.language=en"))
            .toList();

    private final Process process;
    private final List<String> out = new CopyOnWriteArrayList<>();
    private final List<String> err = new CopyOnWriteArrayList<>();
    private final List<Thread> readers;

    private Child(Process process) {
        this.process = process;
        this.readers = List.of(reader(process.inputReader(), out), reader(process.errorReader(), err));
    }

    private static Thread reader(BufferedReader from, List<String> into) {
        Thread reader = new Thread(() -> {
            try {
                from.lines().forEach(into::add);
            } catch (UncheckedIOException e) {
                // The process was killed while it was writing: there is no more to hear.
                return;
            }
        });
        reader.setDaemon(true);
        reader.start();
        return reader;
    }

    static Child start(Path directory, String... arguments) {
        return start(directory, "none", arguments);
    }

    static Child stickingAt(Faults.Point point, Path directory, String... arguments) {
        return start(directory, point.name(), arguments);
    }

    /** Stopped with SIGSTOP when it came to the point. */
    static Child frozenAt(Faults.Point point, Path directory, String... arguments)
            throws IOException, InterruptedException {
        Child child = stickingAt(point, directory, arguments);
        child.awaitLines(1, StickingWeir.STUCK::equals);
        child.signal("STOP");
        return child;
    }

    /** Goes on from where it was frozen. */
    void goOn() throws IOException, InterruptedException {
        signal("CONT");
        tell("");
    }

    /** One that takes part in a {@link Race}. */
    static Child racing() {
        return start(Path.of("."), Racer.class);
    }

    /** Weir, once one of its threads stays in a method. */
    static Child stayingIn(String method, Path directory, String... arguments) {
        String[] all = Stream.concat(Stream.of(method), Stream.of(arguments)).toArray(String[]::new);
        Child child = start(directory, WatchedWeir.class, all);
        try {
            child.awaitLines(1, WatchedWeir.THERE::equals);
        } catch (ConditionTimeoutException e) {
            child.close();
            throw new AssertionError("it never stays in " + method + ":\n" + child.all(), e);
        }
        return child;
    }

    /** One process in which each of the runs goes to its point, and which dies then. */
    static Child dying(List<DyingWeirs.Death> deaths) {
        return start(Path.of("."), DyingWeirs.class, DyingWeirs.arguments(deaths));
    }

    private static Child start(Path directory, String harm, String... arguments) {
        String[] all = Stream.concat(Stream.of(harm), Stream.of(arguments)).toArray(String[]::new);
        return start(directory, StickingWeir.class, all);
    }

    private static Child start(Path directory, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        // Whoever started the tests may have had signals ignored, which children inherit and the JVM respects.
        command.addAll(List.of("env", "--default-signal=INT,HUP,TERM"));
        command.addAll(Jvm.command(OPTIONS, main));
        command.addAll(List.of(arguments));
        try {
            return new Child(
                    new ProcessBuilder(command).directory(directory.toFile()).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** What it has said so far. */
    List<String> out() {
        return out;
    }

    String all() {
        return String.join("\n", out) + "\n" + String.join("\n", err);
    }

    /** Waits until it has said so many such lines, or has ended. */
    void awaitLines(int count, Predicate<String> line) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> out.stream().filter(line).count() >= count || !process.isAlive());
    }

    /** Waits until it has said such a line behind the first so many, or has ended. */
    void awaitLine(int behind, Predicate<String> line) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> out.stream().skip(behind).anyMatch(line) || !process.isAlive());
    }

    /** Writes a line to its stdin. */
    void tell(String line) {
        try {
            process.outputWriter().write(line + "\n");
            process.outputWriter().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a signal by its name: {@code TERM}. */
    void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start();
        assertThat(kill.waitFor()).as("it has ended already: " + all()).isZero();
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
    }

    /** The exit code, when it has ended and all it said has arrived. */
    int exitCode() throws InterruptedException {
        return exitCode(PATIENCE);
    }

    int exitCode(Duration within) throws InterruptedException {
        if (!endsWithin(within)) {
            throw new AssertionError("still running after " + within + ":\n" + all());
        }
        for (Thread reader : readers) {
            reader.join(PATIENCE.toMillis());
        }
        return process.exitValue();
    }

    boolean endsWithin(Duration duration) throws InterruptedException {
        return process.waitFor(duration.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
