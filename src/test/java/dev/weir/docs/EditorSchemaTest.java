package dev.weir.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The JSON Schemas that editors are given say what the readers of connections.yml and weir.yml say. */
class EditorSchemaTest {

    /** A file that cannot be read, an unknown key, a missing one, a value its key cannot take, an unknown connector. */
    private static final Pattern REFUSED = Pattern.compile("WR010[12457] (?:connections|weir)\\.yml:.*");

    private static final Pattern UNKNOWN =
            Pattern.compile("WR0102 [^\\n]*'zz'[^\\n]*\\n  (?:did you [^?]*\\? )?known: (.*)");
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final String LAKE = "lake: { connector: duckdb, path: lake.duckdb }\n";

    @TempDir
    Path folder;

    private String printed(String file) {
        WeirProject.Said said = new WeirProject(folder).run("schema", "print", file);
        assertThat(said.exitCode()).as(said.all()).isZero();
        return said.out();
    }

    private static Schema schema(String printed) {
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7).getSchema(printed);
    }

    private static JsonNode yaml(String text) {
        try {
            JsonNode read = YAML.readTree(text);
            return read.isMissingNode() ? JsonNodeFactory.instance.objectNode() : read;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the readers refuse of a file. */
    private List<String> refused(String file, String text) {
        WeirProject project =
                new WeirProject(folder).file("connections.yml", LAKE).file("weir.yml", "");
        return REFUSED.matcher(project.file(file, text).run("validate").err())
                .results()
                .map(found -> found.group())
                .toList();
    }

    /** Both take it, or both refuse it. */
    private boolean agree(Schema schema, String file, String text) {
        List<String> read = refused(file, text);
        List<?> checked = schema.validate(yaml(text));
        assertThat(checked.isEmpty())
                .as("%s%n%s: weir says %s, the schema %s", text, file, read, checked)
                .isEqualTo(read.isEmpty());
        return read.isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"connections.yml", "weir.yml"})
    void whatTheProjectsOfThePagesSayIsTaken(String file) throws IOException {
        Schema schema = schema(printed(file.replace(".yml", "")));
        List<String> texts = new ArrayList<>(List.of(Files.readString(Path.of("connections.yml.example"))));
        for (Document document : Document.all()) {
            document.blocks().stream()
                    .filter(block -> block.file().filter(file::equals).isPresent())
                    .forEach(block -> texts.add(block.content()));
        }
        int own = texts.size();
        for (String template :
                new WeirProject(folder).run("init", "--list").out().lines().toList()) {
            String name = template.split(" ")[0];
            assertThat(new WeirProject(folder)
                            .run("init", name, "--template", name)
                            .exitCode())
                    .isZero();
            texts.add(Files.readString(folder.resolve(name).resolve(file)));
        }
        assertThat(texts.subList(own, texts.size())).hasSize(4).allSatisfy(text -> assertThat(text)
                .startsWith("# yaml-language-server: $schema=.schema/" + file.replace(".yml", ".json") + "\n"));
        if (file.equals("weir.yml")) {
            texts.remove(0);
            texts.add(texts.get(texts.size() - 1).replaceAll("(?m)^# (?=\\w+: [^…]*$)", ""));
        }
        long taken = texts.stream().filter(text -> agree(schema, file, text)).count();
        // One page shows what a typing error looks like.
        assertThat(taken).isEqualTo(file.equals("weir.yml") ? texts.size() : texts.size() - 1);
    }

    @Test
    void theFilesOfANewProjectAreThoseThatArePrinted() throws IOException {
        WeirProject project = new WeirProject(folder);
        assertThat(project.run("init").exitCode()).isZero();
        assertThat(project.run("demo", "demo").exitCode()).isZero();
        for (String file : List.of("connections", "weir")) {
            assertThat(folder.resolve(".schema/" + file + ".json")).hasContent(printed(file));
            assertThat(folder.resolve("demo/.schema/" + file + ".json")).hasContent(printed(file));
        }
        assertThat(Files.readString(folder.resolve("demo/connections.yml")))
                .startsWith("# yaml-language-server: $schema=.schema/connections.json\n");
    }

    private static String pg(String more) {
        return "pg: { connector: postgres, host: h, database: d" + more + " }\n";
    }

    private static String orders(String entity) {
        return pg(", entities: { public.orders: " + entity + " }");
    }

    private static String read(String read) {
        return orders("{ read: " + read + " }");
    }

    private static String sync(String more) {
        return read("{ sync: { mode: incremental, cursor: id" + more + " } }");
    }

    private static String write(String write) {
        return orders("{ write: " + write + " }");
    }

    @Test
    void connectionsAreTakenByBoth() {
        Schema schema = schema(printed("connections"));
        for (String text : List.of(
                "",
                LAKE,
                pg(", port: 5432, user: 7, password: '', sslmode: require, sslrootcert: ca.pem, streams: 4"),
                pg(", port: '${PORT:-5432}', sslmode: '${MODE:-disable}', entities:"),
                "später_2-x: { connector: sqlite, path: 2026 }",
                "lake: { connector: '${KIND:-duckdb}', path: x }",
                pg(", retry: { attempts: 03, delay: 500ms, max_delay: 1h }, max_concurrency: 2, rate_limit: 10/s"),
                pg(", timeout: '5m', breaker: { failures: '5', cooldown: 30s }"),
                pg(", retry:, breaker: {}"),
                orders("{}"),
                orders(""),
                orders("{ read:, write: {} }"),
                read("{ columns: { id: bigint, \"a b\": 'decimal(12,2)' }, query: SELECT 1 }"),
                sync(", max_window: 1000, initial: 0, until: 2026-01-01, delay: 1m, lookback: '5'"),
                sync(", nulls: fail, settle: 'off', settle_timeout: 1m"),
                write("{ strategy: merge, keys: [id, 2], order_by: at, keep_columns: true, delete_when: a = 1 }"),
                write("{ strategy: append, delivery: exactly_once, per_slice: accept }"),
                write("{ keys: id, keep_columns: 'false' }"))) {
            assertThat(agree(schema, "connections.yml", text)).as(text).isTrue();
        }
    }

    @Test
    void connectionsAreRefusedByBoth() {
        Schema schema = schema(printed("connections"));
        for (String text : List.of(
                "- a",
                "lake: duckdb",
                "lake:",
                "lake: {}",
                "lake: { connector: oracle, path: x }",
                "lake: { connector: [duckdb], path: x }",
                "lake: { connector: duckdb }",
                "lake: { connector: duckdb, path: }",
                "lake: { connector: duckdb, path: '' }",
                "lake: { connector: duckdb, path: x, host: h }",
                "la.ke: { connector: duckdb, path: x }",
                "2lake: { connector: duckdb, path: x }",
                "pg: { connector: postgres, host: h }",
                "pg: { connector: postgres, host: h, databse: d, database: d }",
                pg(", port: [5432]"),
                pg(", sslmode: maybe"),
                pg(", retry: 3"),
                pg(", retry: { attempts: 0 }"),
                pg(", retry: { attempts: ten }"),
                pg(", retry: { tries: 1 }"),
                pg(", retry: { delay: 5 }"),
                pg(", max_concurrency: 10000"),
                pg(", max_concurrency: -1"),
                pg(", rate_limit: 10"),
                pg(", rate_limit: 10/d"),
                pg(", timeout: soon"),
                pg(", timeout:"),
                pg(", breaker: { cooldown: 1 s }"),
                pg(", breaker: { after: 1 }"),
                pg(", entities: [orders]"),
                orders("[read]"),
                orders("{ sync: {} }"),
                orders("{ keys: [id] }"),
                read("{ columns: {} }"),
                read("{ columns: [id] }"),
                read("{ columns: { id: [bigint] } }"),
                read("{ sync: }"),
                read("{ sync: { cursor: id } }"),
                read("{ sync: { mode: incremental } }"),
                read("{ sync: { mode: full, cursor: id } }"),
                read("{ table: t }"),
                read("{ query: [SELECT 1] }"),
                read("{ query: }"),
                sync(", window: 5"),
                sync(", initial: [0]"),
                sync(", initial:"),
                write("merge"),
                write("{ key: id }"),
                write("{ keys: { id: 1 } }"),
                write("{ keys: [[id]] }"),
                write("{ keys: [] , order_by: [at] }"),
                write("{ keys: [~] }"),
                write("{ delete_when: [a] }"))) {
            assertThat(agree(schema, "connections.yml", text)).as(text).isFalse();
        }
    }

    /** These are told where they are used, which needs a pipeline, or the cursor's type. */
    @Test
    void wordsThatAreNoneAreMarked() {
        Schema schema = schema(printed("connections"));
        for (String text : List.of(
                sync(", nulls: ignore"),
                sync(", settle: maybe"),
                write("{ strategy: upsert }"),
                write("{ keep_columns: maybe }"),
                write("{ duplicates: no }"),
                write("{ delivery: at_least_once }"),
                write("{ per_slice: true }"))) {
            assertThat(schema.validate(yaml(text))).as(text).isNotEmpty();
        }
    }

    @Test
    void settingsAreTakenOrRefusedByBoth() {
        Schema schema = schema(printed("weir"));
        for (String text : List.of(
                "",
                "name: my project\nvars:\nsecrets:\n",
                "vars: { country: DE, n: 5, b: true }\nsecrets: [A, B]\nthreads: 4\nmemory: 1.5 GiB",
                "secrets: A\nthreads: '0004'\nmemory: '${MEM:-2GB}'\nspill: /var/tmp",
                "retention: { runs: 999999, days: 1 }\nbackfill: { window: 1mo, concurrency: 64 }",
                "retention:\nbackfill: { window: 1000, timezone: Europe/Berlin, on_existing: error }",
                "backfill: { window: 0.5 }")) {
            assertThat(agree(schema, "weir.yml", text)).as(text).isTrue();
        }
        for (String text : List.of(
                "nam: x",
                "name: [x]",
                "name:",
                "vars: [a]",
                "vars: { a: }",
                "secrets: { a: b }",
                "threads: 0",
                "threads: many",
                "threads: 1.5",
                "memory: 2",
                "memory: 0GB",
                "memory: lots",
                "retention: 5",
                "retention: { runs: 0 }",
                "retention: { weeks: 1 }",
                "backfill: { window: 1y }",
                "backfill: { window: 0 }",
                "backfill: { concurrency: 65 }",
                "backfill: { on_existing: ignore }",
                "backfill: { chunk: 1d }")) {
            assertThat(agree(schema, "weir.yml", text)).as(text).isFalse();
        }
    }

    /** An object of every key of a schema, each with some value: no reader may call one of them unknown. */
    private static String everyKey(JsonNode root, JsonNode schema) {
        JsonNode followed = schema.path("allOf").path(0).path("$ref").isTextual()
                ? root.at(schema.path("allOf").path(0).path("$ref").asText().substring(1))
                : schema;
        if (followed.path("additionalProperties").isObject()) {
            return "{ \"zz.zz\": " + everyKey(root, followed.path("additionalProperties")) + " }";
        }
        if (!followed.path("properties").isObject()) {
            return "x";
        }
        List<String> keys = new ArrayList<>();
        followed.path("properties")
                .properties()
                .forEach(key -> keys.add(key.getKey() + ": " + everyKey(root, key.getValue())));
        return "{ " + String.join(", ", keys) + " }";
    }

    /** The keys of each block. */
    private static Set<Set<String>> blocks(JsonNode schema) {
        Set<Set<String>> blocks = new HashSet<>();
        if (schema.path("properties").isObject()) {
            blocks.add(schema.path("properties").properties().stream()
                    .map(Map.Entry::getKey)
                    .collect(Collectors.toSet()));
        }
        schema.forEach(below -> blocks.addAll(blocks(below)));
        return blocks;
    }

    @Test
    void everyKeyOfTheSchemasIsReadAndEveryKeyThatIsReadIsInThem() throws IOException {
        JsonNode connections = new ObjectMapper().readTree(printed("connections"));
        JsonNode weir = new ObjectMapper().readTree(printed("weir"));
        Set<Set<String>> blocks = blocks(connections);
        blocks.addAll(blocks(weir));
        JsonNode definitions = connections.path("definitions");
        StringBuilder text = new StringBuilder();
        for (JsonNode kind : definitions.path("connection").path("allOf")) {
            String name = kind.at("/if/properties/connector/const").asText();
            String keys = everyKey(connections, definitions.path("connection"));
            JsonNode options = definitions.path(name).path("properties");
            List<String> own = new ArrayList<>();
            options.properties().stream()
                    .filter(option -> option.getValue().isObject())
                    .forEach(option -> own.add(option.getKey() + ": x, "));
            text.append(name)
                    .append(": { ")
                    .append(String.join("", own))
                    .append(keys.substring(2).replaceFirst("connector: x", "connector: " + name))
                    .append("\n");
        }
        assertThat(refused("connections.yml", text.toString()))
                .as(text.toString())
                .isNotEmpty()
                .noneMatch(line -> line.startsWith("WR0102"));
        assertThat(refused("weir.yml", everyKey(weir, weir))).isNotEmpty().noneMatch(line -> line.startsWith("WR0102"));

        String unknown =
                pg(", zz: 1, retry: { zz: 1 }, breaker: { zz: 1 }, entities: { t: { zz: 1, read: { zz: 1, sync: {"
                                + " mode: incremental, cursor: id, zz: 1 } }, write: { zz: 1 } } }")
                        + "duck: { connector: duckdb, path: p, zz: 1 }\nlite: { connector: sqlite, path: p, zz: 1 }\n";
        String complaints = new WeirProject(folder)
                .file("connections.yml", unknown)
                .file("weir.yml", "zz: 1\nretention: { zz: 1 }\nbackfill: { zz: 1 }\n")
                .run("validate")
                .err();
        Matcher known = UNKNOWN.matcher(complaints);
        int places = 0;
        while (known.find()) {
            places++;
            assertThat(blocks).contains(Set.of(known.group(1).split(", ")));
        }
        assertThat(places).as(complaints).isEqualTo(12);
    }
}
