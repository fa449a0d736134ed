package dev.weir.project;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Everything a project's files say, or as much as could be read of them. Immutable.
 *
 * @param name what weir.yml calls it, or the folder's name
 * @param dir the folder, absolute
 * @param connections in the order of connections.yml
 * @param connectionsKnown whether connections.yml could be read as YAML, so that a missing connection is really missing
 * @param pipelines by name
 * @param secrets the values of the variables weir.yml lists as secrets; never printed
 */
public record Project(
        String name,
        Path dir,
        Settings settings,
        List<ConnectionSpec> connections,
        boolean connectionsKnown,
        List<PipelineSpec> pipelines,
        Set<String> secrets) {

    public Project {
        connections = List.copyOf(connections);
        pipelines = List.copyOf(pipelines);
        secrets = Set.copyOf(secrets);
    }

    /** The name alone: the rest may hold secrets. */
    @Override
    public String toString() {
        return name;
    }
}
