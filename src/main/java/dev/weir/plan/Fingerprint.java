package dev.weir.plan;

import dev.weir.connector.Column;
import dev.weir.connector.Entity;
import dev.weir.project.Value;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.TokenText;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What the rows of a backfill depend on, beside its range: two that are equal load the same rows of the same systems.
 *
 * <p>Holds no secret: of SQL that variables went into there is a hash alone. Immutable. Source of the rule: contract,
 * section 6.
 *
 * @param inputs what is compared, by what a person calls it, in an order that stays
 */
public record Fingerprint(Map<String, String> inputs) {

    private static final String VARIABLES = " with its variables";

    public Fingerprint {
        inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
    }

    /** Of everything but the range and its chunks. */
    public static Fingerprint of(Scoping scoping) {
        Map<String, String> inputs = new LinkedHashMap<>();
        for (PipelineNode pipeline : scoping.plan().pipelines()) {
            inputs.put("pipeline " + pipeline.name(), pipeline.sql().written().strip());
            inputs.put(
                    "pipeline " + pipeline.name() + VARIABLES,
                    hash(List.of(pipeline.sql().fixed().strip())));
        }
        for (SinkNode sink : scoping.pipeline().sinks()) {
            inputs.put("sink " + sink.id(), options(sink));
        }
        Set<String> connections = new LinkedHashSet<>();
        for (SourceNode source : scoping.plan().sources()) {
            inputs.put("source " + source.key(), read(source));
            inputs.put("cursor of " + source.key(), cursor(source));
            connections.add(source.connection());
        }
        scoping.pipeline().sinks().forEach(sink -> connections.add(sink.connection()));
        for (String name : connections) {
            inputs.put(
                    "connection " + name,
                    scoping.plan().connection(name).connector().name());
        }
        return new Fingerprint(inputs);
    }

    private static String options(SinkNode sink) {
        return sink.strategy() + " keys=" + sink.keys() + " order_by="
                + sink.orderBy().orElse("the cursor")
                + " keep_columns=" + sink.keepColumns()
                + sink.deleteWhen()
                        .map(Value.Scalar::text)
                        .map(List::of)
                        .map(text -> " delete_when=" + hash(text))
                        .orElse("")
                + " duplicates=" + sink.acceptsDuplicates()
                + " per_slice=" + sink.acceptsSlices();
    }

    private static String read(SourceNode source) {
        String columns = source.columns().isEmpty()
                ? "all columns"
                : String.join(
                        ", ", source.columns().stream().map(Fingerprint::column).toList());
        if (source.entity() instanceof Entity.Query query) {
            List<String> parts = source.tokens()
                    .map(tokens -> tokens.text().parts().stream()
                            .map(part -> part.getClass().getSimpleName() + " " + part.written())
                            .toList())
                    .orElse(List.of(query.sql()));
            return "query " + hash(parts) + ", " + columns;
        }
        return "table " + source.entity().name() + ", " + columns;
    }

    private static String column(Column column) {
        return column.name() + " " + column.type();
    }

    private static String cursor(SourceNode source) {
        String column = source.sync().map(SyncText::cursor).orElse(Cursor.TOKENS);
        List<String> tokens = source.tokens().map(Value.Tokens::text).stream()
                .flatMap(text -> text.tokens().stream())
                .map(TokenText.Part::written)
                .distinct()
                .toList();
        String order = source.orderCursor()
                .map(ordered -> ", in the order of " + ordered)
                .orElse("");
        return "column '" + column + "', tokens " + tokens + order;
    }

    /** The same, and something else that the rows depend on. */
    public Fingerprint with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(inputs);
        more.put(name, value);
        return new Fingerprint(more);
    }

    /** Of the inputs, 64 hex digits. */
    public String sha256() {
        List<String> all = new ArrayList<>();
        inputs.forEach((name, value) -> {
            all.add(name);
            all.add(value);
        });
        return hash(all);
    }

    /** How this one differs from another, in the order of the inputs: a line each, or two for longer texts. */
    public List<String> differences(Map<String, String> other) {
        Set<String> names = new LinkedHashSet<>(inputs.keySet());
        names.addAll(other.keySet());
        List<String> differences = new ArrayList<>();
        for (String name : names) {
            String then = other.get(name);
            String now = inputs.get(name);
            if (!Objects.equals(then, now) && !isTold(name, other)) {
                differences.add(
                        name.endsWith(VARIABLES)
                                ? name.substring(0, name.length() - VARIABLES.length())
                                        + ": the values of its variables are others"
                                : TextDifference.of(name, then, now));
            }
        }
        return differences;
    }

    /** Of SQL that differs as it is written it tells nobody anything that its hash differs too. */
    private boolean isTold(String name, Map<String, String> other) {
        String written = name.endsWith(VARIABLES) ? name.substring(0, name.length() - VARIABLES.length()) : name;
        return !written.equals(name) && !Objects.equals(other.get(written), inputs.get(written));
    }

    /** Each text with its length, so that no two lists are spelled alike. */
    private static String hash(List<String> texts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String text : texts) {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                digest.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
                digest.update(bytes);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
