package dev.weir.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A project to start from; its files are resources of the package. */
enum Template {
    POSTGRES_TO_DUCKDB("a table of Postgres into a DuckDB file"),
    POSTGRES_TO_POSTGRES("a table of one Postgres into another"),
    DUCKDB_TO_DUCKDB("a table of one DuckDB file into another"),
    SQLITE_TO_DUCKDB("a table of a SQLite file into a DuckDB file");

    /** Each file of a project, and the resource it is made of: some names are not taken into a package. */
    private static final Map<String, String> OWN =
            files(List.of("connections.yml", "pipelines/orders.sql"), Map.of(".env.example", "env.example"));

    private static final Map<String, String> COMMON = files(List.of("weir.yml"), Map.of(".gitignore", "gitignore"));

    private final String description;

    Template(String description) {
        this.description = description;
    }

    private static Map<String, String> files(List<String> same, Map<String, String> renamed) {
        Map<String, String> files = new LinkedHashMap<>();
        same.forEach(name -> files.put(name, name));
        files.putAll(renamed);
        return files;
    }

    /** What it moves, for a list. */
    String description() {
        return description;
    }

    static Optional<Template> named(String name) {
        return Arrays.stream(values())
                .filter(template -> template.toString().equals(name))
                .findFirst();
    }

    static List<String> names() {
        return Arrays.stream(values()).map(Template::toString).toList();
    }

    /**
     * The content of each file by its name in the project, in the order to look at them.
     *
     * @throws IOException when the package lacks one
     */
    Map<String, String> files() throws IOException {
        Map<String, String> files = new LinkedHashMap<>();
        for (Map.Entry<String, String> file : OWN.entrySet()) {
            files.put(file.getKey(), resource(this + "/" + file.getValue()));
        }
        for (Map.Entry<String, String> file : COMMON.entrySet()) {
            files.put(file.getKey(), resource("common/" + file.getValue()));
        }
        return files;
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Template.class.getResourceAsStream("init/" + name)) {
            if (in == null) {
                throw new IOException("the package lacks init/" + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** As it is typed: {@code postgres-to-duckdb}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
