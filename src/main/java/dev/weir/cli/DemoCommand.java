package dev.weir.cli;

import dev.weir.fault.Code;
import dev.weir.fault.IoReason;
import dev.weir.fault.RunException;
import dev.weir.fault.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir demo}. */
@Command(
        name = "demo",
        description = {
            "Makes a small project on embedded databases and loads it in one go.",
            "50,000 orders go from one DuckDB file into another, 10,000 a slice. A folder that holds something is refused."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir demo              makes and loads ./weir-demo",
            "  weir demo /tmp/shop    the same in another folder"
        })
final class DemoCommand implements Callable<Integer> {

    private static final List<String> FILES = List.of("connections.yml", "pipelines/orders_synced.sql");

    private final Console console;

    @Parameters(
            paramLabel = "DIR",
            arity = "0..1",
            defaultValue = "weir-demo",
            description = "The folder to make (default: ${DEFAULT-VALUE}).")
    private Path directory = Path.of("weir-demo");

    DemoCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        Path project = console.directory().resolve(directory).normalize();
        refuseToOverwrite(project);
        create(project);
        console.out().println("Made " + directory + " with 50,000 orders in shop.duckdb. Now loading them:");
        console.out().println("$ weir run --project " + directory + " --until-caught-up");
        int exitCode = Weir.run(console, "run", "--project", project.toString(), "--until-caught-up");
        if (exitCode == 0) {
            sayWhatIsNext();
        }
        return exitCode;
    }

    private void refuseToOverwrite(Path project) {
        try {
            if (!Files.exists(project)) {
                return;
            }
            boolean empty = false;
            if (Files.isDirectory(project)) {
                try (Stream<Path> entries = Files.list(project)) {
                    empty = entries.findAny().isEmpty();
                }
            }
            if (!empty) {
                throw new UsageException(
                        Code.BAD_VALUE,
                        directory.toString(),
                        "the folder exists and is not empty",
                        "name another one: weir demo DIR; or go on with it: weir run --project " + directory
                                + " --until-caught-up");
            }
        } catch (IOException e) {
            throw notWritten(e);
        }
    }

    private void create(Path project) {
        try {
            Files.createDirectories(project.resolve("pipelines"));
            for (String file : FILES) {
                Files.writeString(project.resolve(file), resource(file));
            }
            Files.createDirectories(project.resolve(SchemaPrintCommand.FOLDER));
            for (Map.Entry<String, String> schema :
                    SchemaPrintCommand.files(console.clock()).entrySet()) {
                Files.writeString(project.resolve(schema.getKey()), schema.getValue());
            }
            String url = "jdbc:duckdb:" + project.resolve("shop.duckdb");
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement()) {
                statement.execute(resource("shop.sql"));
            }
        } catch (IOException e) {
            throw notWritten(e);
        } catch (SQLException e) {
            throw RunException.lasting(
                    new dev.weir.fault.Fault(
                            Code.SOURCE,
                            directory.toString(),
                            "the demo's source cannot be made: " + e.getMessage(),
                            "name a folder on a disk with some space"),
                    e);
        }
    }

    private UsageException notWritten(IOException e) {
        return new UsageException(
                Code.BAD_VALUE,
                directory.toString(),
                "the demo cannot be written there: " + IoReason.of(e),
                "name a folder you may write to: weir demo DIR");
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = DemoCommand.class.getResourceAsStream("demo/" + name)) {
            if (in == null) {
                throw new IOException("the package lacks demo/" + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void sayWhatIsNext() {
        console.out().println("""

                        Next, try:
                          weir state show shop.orders --project %1$s      up to where it is loaded
                          weir run --project %1$s --until-caught-up       again: nothing is left, nothing moves
                          weir runs --project %1$s                        what has run
                        Then edit %1$s/connections.yml, or start a project of your own: see the README.""".formatted(directory));
    }
}
