package dev.weir.connector;

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

    /** The name alone: options may hold secrets. */
    @Override
    public String toString() {
        return name;
    }
}
