package dev.weir.cli;

import dev.weir.fault.Code;
import dev.weir.fault.IoReason;
import dev.weir.fault.UsageException;
import dev.weir.project.Nearest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir init}. */
@Command(
        name = "init",
        description = {
            "Makes a commented project to start from.",
            "Writes connections.yml, a pipeline, and examples of settings and variables. A file that exists is never"
                    + " overwritten: nothing is written then."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir init my-project                    from Postgres into a DuckDB file",
            "  weir init --template duckdb-to-duckdb   in the current folder",
            "  weir init --list                        the templates, and what they move"
        })
final class InitCommand implements Callable<Integer> {

    private final Console console;

    @Parameters(
            paramLabel = "DIR",
            arity = "0..1",
            defaultValue = ".",
            description = "The folder (default: the current one); made where it is missing.")
    private Path directory = Path.of(".");

    @Option(
            names = "--template",
            paramLabel = "NAME",
            defaultValue = "postgres-to-duckdb",
            completionCandidates = Templates.class,
            description = "What to start from: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private String template = Template.POSTGRES_TO_DUCKDB.toString();

    @Option(names = "--list", description = "List the templates, and make nothing.")
    private boolean list;

    InitCommand(Console console) {
        this.console = console;
    }

    static final class Templates implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Template.names().iterator();
        }
    }

    @Override
    public Integer call() {
        if (list) {
            for (Template known : Template.values()) {
                console.out().printf("%-22s%s%n", known, known.description());
            }
            return 0;
        }
        Template chosen = Template.named(template)
                .orElseThrow(() -> new UsageException(
                        Code.BAD_VALUE,
                        "--template",
                        "there is no template '" + template + "'",
                        Nearest.hint(template, Template.names())));
        Path folder = console.directory().resolve(directory).normalize();
        try {
            Map<String, String> files = new LinkedHashMap<>(chosen.files());
            files.putAll(SchemaPrintCommand.files(console.clock()));
            refuseToOverwrite(folder, files);
            write(folder, files);
            sayWhatIsNext(files);
            return 0;
        } catch (IOException e) {
            throw new UsageException(
                    Code.BAD_VALUE,
                    directory.toString(),
                    "the project cannot be written there: " + IoReason.of(e),
                    "name a folder you may write to: weir init DIR");
        }
    }

    private void refuseToOverwrite(Path folder, Map<String, String> files) {
        List<String> existing = files.keySet().stream()
                .filter(name -> Files.exists(folder.resolve(name), LinkOption.NOFOLLOW_LINKS))
                .toList();
        if (!existing.isEmpty()) {
            throw refused(existing);
        }
    }

    private UsageException refused(List<String> existing) {
        return new UsageException(
                Code.BAD_VALUE,
                directory.toString(),
                "the folder has " + String.join(", ", existing) + " already, and nothing is overwritten",
                "name another folder, as in weir init my-project, or move them away");
    }

    /** All of the files, or none of them. */
    private void write(Path folder, Map<String, String> files) throws IOException {
        List<Path> written = new ArrayList<>();
        try {
            for (Map.Entry<String, String> file : files.entrySet()) {
                Path path = folder.resolve(file.getKey());
                Files.createDirectories(path.getParent());
                try {
                    Files.createFile(path);
                } catch (FileAlreadyExistsException e) {
                    throw refused(List.of(file.getKey()));
                }
                written.add(path);
                Files.write(path, file.getValue().getBytes(StandardCharsets.UTF_8), StandardOpenOption.WRITE);
            }
        } catch (IOException | UsageException e) {
            for (Path path : written) {
                Files.deleteIfExists(path);
            }
            throw e;
        }
    }

    private void sayWhatIsNext(Map<String, String> files) {
        boolean here = directory.normalize().toString().isEmpty();
        String inside = here ? "" : directory + "/";
        String project = here ? "" : " --project " + directory;
        console.out()
                .println("Made in " + (here ? "this folder" : directory) + ": " + String.join(", ", files.keySet()));
        console.out().println("""

                Next:
                  1. cp %1$s.env.example %1$s.env, and write your own values into %1$s.env
                  2. name your table, its cursor and its keys in %1$sconnections.yml and %1$spipelines/orders.sql
                  3. weir validate%2$s
                  4. weir run%2$s --until-caught-up""".formatted(inside, project));
    }
}
