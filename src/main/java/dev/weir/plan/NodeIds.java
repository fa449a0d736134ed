package dev.weir.plan;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Gives sources and pipelines names that are tables in DuckDB too: plain ASCII, and different in more than case. */
final class NodeIds {

    private final Set<String> taken = new HashSet<>();

    /** The id of a source; given in the order of keys, ids stay the same from run to run. */
    String source(EntityRef entity) {
        return free(
                "src_" + plain(entity.connection()) + "__" + plain(entity.name().toString()));
    }

    /** The id of a pipeline; given in the order of names. */
    String pipeline(String name) {
        return free("pipe_" + plain(name));
    }

    private String free(String base) {
        String id = base;
        for (int i = 2; !taken.add(id.toLowerCase(Locale.ROOT)); i++) {
            id = base + "_" + i;
        }
        return id;
    }

    private static String plain(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "_");
    }
}
