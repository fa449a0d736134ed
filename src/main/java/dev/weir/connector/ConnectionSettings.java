package dev.weir.connector;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * One connection of a project, its options checked against {@link Connector#options()} and its variables expanded.
 *
 * @param name the connection's name in the project
 * @param options the options by name; may hold secrets, so it is never printed
 * @param projectDir what relative paths in options are relative to
 * @param written whether the plan writes to this connection, so that a file is opened for writing
 */
public record ConnectionSettings(String name, Map<String, String> options, Path projectDir, boolean written) {

    public ConnectionSettings {
        options = Map.copyOf(options);
    }

    public Optional<String> option(String option) {
        return Optional.ofNullable(options.get(option));
    }

    /** The file an option names, however it is spelled and whatever links lead to it; it need not exist. */
    public Optional<Path> file(String option) {
        return option(option).flatMap(this::real);
    }

    private Optional<Path> real(String path) {
        try {
            Path file = projectDir.resolve(path).toAbsolutePath().normalize();
            if (Files.exists(file)) {
                return Optional.of(file.toRealPath());
            }
            Path folder = file.getParent();
            return Optional.of(
                    folder != null && Files.isDirectory(folder)
                            ? folder.toRealPath().resolve(file.getFileName())
                            : file);
        } catch (InvalidPathException | IOException e) {
            return Optional.empty();
        }
    }

    /** The name alone: options may hold secrets. */
    @Override
    public String toString() {
        return name;
    }
}
