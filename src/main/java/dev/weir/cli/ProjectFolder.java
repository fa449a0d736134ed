package dev.weir.cli;

import dev.weir.fault.UsageException;
import dev.weir.project.Problems;
import dev.weir.project.ProjectLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Option;

/** Where the project is. */
final class ProjectFolder {

    @Option(
            names = "--project",
            paramLabel = "DIR",
            defaultValue = ".",
            description = "The project's folder (default: the current one).")
    private Path directory = Path.of(".");

    /** The folder, absolute. */
    Path path(Console console) {
        return console.directory().resolve(directory).normalize();
    }

    /** @throws UsageException WR0108 when there is no project in the folder */
    void refuseOthers(Console console) {
        if (!Files.exists(path(console).resolve("connections.yml"))) {
            Problems problems = new Problems();
            ProjectLoader.load(path(console), console.environment(), Map.of(), problems);
            problems.throwIfAny();
        }
    }
}
