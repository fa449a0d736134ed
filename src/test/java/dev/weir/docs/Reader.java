package dev.weir.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.weir.cli.Weir;
import dev.weir.testing.Jvm;
import dev.weir.testing.Postgres;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Does what a document tells its reader to do, block after block, in an empty folder and on a Postgres database of its
 * own. What the document says is printed must be printed.
 */
final class Reader {

    /** Shown to the reader and executed by no test: it would start all tests again. */
    static final String ALL_TESTS = "mvn -B verify";

    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|([^\\s'\"]+)");

    private static final Pattern RUN_ID = Pattern.compile("\\d{8}T\\d{9}Z-[0-9a-f]{4}");

    private final Map<String, String> environment = new HashMap<>();
    private final Postgres.Database database = Postgres.fresh();
    private final boolean ownProcess;
    private Path directory;
    private String output = "";
    private String newestRun = "";
    private int exitCode;

    private Reader(Path directory, boolean ownProcess) {
        this.directory = directory;
        this.ownProcess = ownProcess;
        environment.put("PG_HOST", "localhost");
        environment.put("PG_PORT", Integer.toString(database.port()));
        environment.put("PG_DATABASE", database.name());
        environment.put("PG_USER", "postgres");
        environment.put("PG_PASSWORD", "not asked for");
    }

    /** One that runs weir in this process, which is quicker. */
    static Reader in(Path directory) {
        return new Reader(directory, false);
    }

    /** One that starts a process for each command, so that files in a pipeline's SQL are found where it was started. */
    static Reader withProcesses(Path directory) {
        return new Reader(directory, true);
    }

    Postgres.Database database() {
        return database;
    }

    void follow(Document document) {
        for (Document.Block block : document.blocks()) {
            try {
                follow(block);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(document + ":" + block.line() + ": " + e.getMessage(), e);
            }
        }
        refuseSilentFailure();
    }

    private void follow(Document.Block block) {
        if (block.isCommands()) {
            assertThat(block.file()).isEmpty();
            commands(block);
        } else if (block.mode().equals("output")) {
            Expected.of(block.lines()).matches(output);
        } else if (block.mode().equals("postgres")) {
            database.execute(block.content());
        } else if (block.file().isPresent()) {
            write(block.file().get(), block.content());
        }
    }

    private void commands(Document.Block block) {
        if (block.language().equals("sh")) {
            block.lines().stream()
                    .map(Reader::withoutComment)
                    .filter(line -> !line.isEmpty())
                    .forEach(this::execute);
            return;
        }
        List<String> expected = new ArrayList<>();
        boolean first = true;
        for (String line : block.lines()) {
            if (line.startsWith("$ ")) {
                if (!first) {
                    Expected.of(expected).matches(output);
                }
                first = false;
                expected.clear();
                execute(withoutComment(line.substring(2)));
            } else {
                expected.add(line);
            }
        }
        Expected.of(expected).matches(output);
    }

    private static String withoutComment(String line) {
        return line.replaceFirst("(^|\\s{2,})#.*", "").strip();
    }

    private void execute(String command) {
        if (command.equals(ALL_TESTS)) {
            return;
        }
        if (command.equals("echo $?")) {
            output = exitCode + "\n";
            exitCode = 0;
            return;
        }
        refuseSilentFailure();
        if (command.startsWith("cd ")) {
            directory = directory.resolve(command.substring(3)).normalize();
            assertThat(directory).isDirectory();
            output = "";
        } else if (command.startsWith("weir ") || command.startsWith("bin/weir ")) {
            // A reader types the id that was printed here, not the one that was printed when the page was written.
            List<String> words = words(
                    RUN_ID.matcher(command.substring(command.indexOf(' ') + 1)).replaceAll(newestRun));
            if (ownProcess) {
                List<String> java = Jvm.command(List.of("--enable-native-access=ALL-UNNAMED"), Weir.class);
                java.addAll(words);
                start(java);
            } else {
                weir(words);
            }
            RUN_ID.matcher(output).results().forEach(run -> newestRun = run.group());
        } else {
            start(List.of("bash", "-c", command));
        }
    }

    /** A reader stops at a command that fails, unless the document looks at its exit code. */
    private void refuseSilentFailure() {
        if (exitCode != 0) {
            fail("a command failed with " + exitCode + ":\n" + output);
        }
    }

    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(line);
        while (matcher.find()) {
            for (int group = 1; group <= 3; group++) {
                if (matcher.group(group) != null) {
                    words.add(matcher.group(group));
                }
            }
        }
        return words;
    }

    private void weir(List<String> words) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream terminal = new PrintStream(said, true, StandardCharsets.UTF_8);
        exitCode = Weir.run(terminal, terminal, environment, directory, words.toArray(String[]::new));
        output = said.toString(StandardCharsets.UTF_8);
    }

    private void start(List<String> command) {
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
            builder.environment().putAll(environment);
            if (command.get(command.size() - 1).startsWith("bash ")) {
                // A script finds weir as a function, in place of a program on its path.
                builder.environment().put("BASH_FUNC_weir%%", "() { " + weirProcess() + " \"$@\"; }");
            }
            Process process = builder.start();
            process.getOutputStream().close();
            output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            exitCode = process.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String weirProcess() {
        return Jvm.command(Jvm.SHORT_LIVED, Weir.class).stream()
                .map(word -> "'" + word + "'")
                .collect(Collectors.joining(" "));
    }

    private void write(String name, String content) {
        try {
            Path file = directory.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
