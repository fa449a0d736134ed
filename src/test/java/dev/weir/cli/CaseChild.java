package dev.weir.cli;

import dev.weir.testing.Jvm;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Commands in Java processes of their own. */
final class CaseChild {

    private CaseChild() {}

    /** Runs weir in a folder, as its own process would be started, and waits for its end. */
    static WeirProject.Said weir(Path folder, List<String> options, Map<String, String> environment, String... args) {
        try {
            Path err = Files.createTempFile(folder, "stderr", ".txt");
            Process process = start(folder, options, environment, Weir.class, err, args);
            String out = text(process.getInputStream());
            int exitCode = process.waitFor();
            String errors = Files.readString(err);
            Files.delete(err);
            return new WeirProject.Said(exitCode, out, errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    static Process start(
            Path folder, List<String> options, Map<String, String> environment, Class<?> main, Path err, String... args)
            throws IOException {
        List<String> all =
                Stream.concat(Jvm.SHORT_LIVED.stream(), options.stream()).toList();
        List<String> command = Jvm.command(all, main);
        command.addAll(List.of(args));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectError(err.toFile());
        builder.environment().putAll(environment);
        return builder.start();
    }

    static String text(InputStream stream) throws IOException {
        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
}
