package dev.weir.cli;

import dev.weir.event.ScreenSize;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The terminal behind this process's stdout, asked through {@code stty}: a few milliseconds, nothing is written to the
 * terminal and none of its settings is touched.
 */
final class ProcessScreen implements Screen {

    private static final Path STDOUT_ON_LINUX = Path.of("/proc/self/fd/1");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,5}) (\\d{1,5})\\s*");
    private static final int USUAL_COLUMNS = 80;
    private static final int USUAL_ROWS = 24;

    private final Map<String, String> environment;

    ProcessScreen(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Optional<ScreenSize> size() {
        if (isSurelyNoTerminal()) {
            return Optional.empty();
        }
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/stdout"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (InputStream answer = stty.getInputStream()) {
                String text = new String(answer.readAllBytes(), StandardCharsets.UTF_8);
                return stty.waitFor() == 0 ? size(text) : Optional.empty();
            }
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Pipes and files need no other process to be told apart, where the system shows what stdout is. */
    private static boolean isSurelyNoTerminal() {
        try {
            return !Files.readSymbolicLink(STDOUT_ON_LINUX).startsWith("/dev");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /** A terminal that does not know its size says {@code 0 0}. */
    private Optional<ScreenSize> size(String answer) {
        Matcher matcher = SIZE.matcher(answer);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        int rows = Integer.parseInt(matcher.group(1));
        int columns = Integer.parseInt(matcher.group(2));
        return Optional.of(new ScreenSize(
                columns > 0 ? columns : fromEnvironment("COLUMNS", USUAL_COLUMNS),
                rows > 0 ? rows : fromEnvironment("LINES", USUAL_ROWS)));
    }

    private int fromEnvironment(String name, int otherwise) {
        String value = environment.getOrDefault(name, "");
        return value.matches("[1-9]\\d{0,4}") ? Integer.parseInt(value) : otherwise;
    }
}
