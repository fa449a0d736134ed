package dev.weir.plan;

import dev.weir.slicing.OnSchemaChange;
import dev.weir.connector.Connector;
import dev.weir.fault.Code;
import dev.weir.project.Call;
import dev.weir.project.EntitySpec;
import dev.weir.project.Keyed;
import dev.weir.project.Nearest;
import dev.weir.project.Place;
import dev.weir.project.Problems;
import dev.weir.project.Value;
import dev.weir.project.WriteSpec;
import dev.weir.slicing.Strategy;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes the node of a sink of what connections.yml and its call say. Source of the rules: contract, section 2.2. */
final class Sinks {

    private final Entities entities;
    private final Map<String, Connector> connectors;
    private final Problems problems;

    /** @param connectors by connection; one with problems is missing */
    Sinks(Entities entities, Map<String, Connector> connectors, Problems problems) {
        this.entities = entities;
        this.connectors = connectors;
        this.problems = problems;
    }

    /** The node; empty, and a problem, when the options contradict each other or the connector. */
    Optional<SinkNode> node(String nodeId, EntityRef ref, Call.Sink call) {
        int before = problems.count();
        Optional<EntitySpec> declared = entities.spec(ref);
        WriteSpec spec = declared.map(EntitySpec::write).orElse(WriteSpec.NONE).with(call.options(), problems);
        if (!spec.sound()) {
            return Optional.empty();
        }
        SinkLine line = SinkLine.of(call, declared);
        Optional<Strategy> strategy = strategy(ref, spec, call.place(), line);
        boolean keepColumns = keepColumns(spec);
        OnSchemaChange onSchemaChange = onSchemaChange(spec);
        boolean duplicates = isWord(spec.duplicates(), "duplicates", "accept");
        boolean exactlyOnce = isWord(spec.delivery(), "delivery", "exactly_once");
        boolean perSlice = isWord(spec.perSlice(), "per_slice", "accept");
        List<String> keys = keys(spec);
        strategy.ifPresent(known -> {
            checkKeys(known, spec, call.place(), line);
            checkOptions(ref, known, spec);
        });
        if (strategy.isEmpty() || problems.count() > before) {
            return Optional.empty();
        }
        return Optional.of(new SinkNode(
                nodeId,
                ref.key(),
                ref.connection(),
                ref.name(),
                strategy.get(),
                keys,
                spec.orderBy().map(keyed -> keyed.value().text()),
                keepColumns,
                onSchemaChange,
                spec.deleteWhen().map(Keyed::value),
                duplicates,
                perSlice,
                exactlyOnce,
                call.place()));
    }

    private Optional<Strategy> strategy(EntityRef ref, WriteSpec spec, Place call, SinkLine line) {
        Optional<Connector> connector = Optional.ofNullable(connectors.get(ref.connection()));
        if (connector.isPresent() && connector.get().capabilities().strategies().isEmpty()) {
            problems.add(
                    Code.BAD_STRATEGY,
                    call,
                    ref.connection() + " cannot be written to: "
                            + connector.get().name() + " is no sink",
                    "write to another connection");
            return Optional.empty();
        }
        if (spec.strategy().isEmpty()) {
            if (spec.keys().isPresent()) {
                return Optional.of(Strategy.MERGE);
            }
            problems.add(
                    Code.BAD_STRATEGY,
                    call,
                    "the sink " + ref.key() + " has no strategy",
                    "say how rows go into the table (merge, append, replace, window), as in " + line.merge());
            return Optional.empty();
        }
        Value.Scalar written = spec.strategy().get().value();
        List<String> names =
                Arrays.stream(Strategy.values()).map(Strategy::toString).toList();
        Optional<Strategy> strategy = Strategy.named(written.text());
        if (strategy.isEmpty()) {
            problems.add(
                    Code.BAD_STRATEGY,
                    written.place(),
                    "there is no strategy '" + written.text() + "'",
                    Nearest.hint(written.text(), names));
        } else if (connector.isPresent()
                && !connector.get().capabilities().strategies().contains(strategy.get())) {
            problems.add(
                    Code.BAD_STRATEGY,
                    written.place(),
                    connector.get().name() + " sinks cannot " + strategy.get(),
                    "take one of: "
                            + String.join(
                                    ", ",
                                    connector.get().capabilities().strategies().stream()
                                            .map(Strategy::toString)
                                            .sorted()
                                            .toList()));
        }
        return strategy;
    }

    private List<String> keys(WriteSpec spec) {
        List<Value.Scalar> keys = spec.keys().map(Keyed::value).orElse(List.of());
        Set<String> seen = new HashSet<>();
        for (Value.Scalar key : keys) {
            if (key.text().isEmpty() || !seen.add(key.text())) {
                problems.add(
                        Code.BAD_VALUE,
                        key.place(),
                        key.text().isEmpty() ? "a key without a name" : "the key '" + key.text() + "' is given twice",
                        "name each key column once");
            }
        }
        return keys.stream().map(Value.Scalar::text).toList();
    }

    private void checkKeys(Strategy strategy, WriteSpec spec, Place call, SinkLine line) {
        boolean hasKeys = spec.keys().filter(keys -> !keys.value().isEmpty()).isPresent();
        if (strategy == Strategy.MERGE && !hasKeys) {
            problems.add(
                    Code.MERGE_WITHOUT_KEYS,
                    spec.strategy().map(Keyed::place).orElse(call),
                    "a merge needs keys",
                    "write " + line.merge());
        }
        if (strategy != Strategy.MERGE && spec.keys().isPresent()) {
            problems.add(
                    Code.KEYS_WITHOUT_MERGE,
                    spec.keys().get().place(),
                    "keys are for merge, and this sink's strategy is " + strategy,
                    "take the keys out, or write strategy: 'merge'");
        }
    }

    private void checkOptions(EntityRef ref, Strategy strategy, WriteSpec spec) {
        if (strategy != Strategy.MERGE) {
            spec.orderBy().ifPresent(keyed -> onlyFor(keyed, "order_by", Strategy.MERGE, strategy));
            spec.keepColumns().ifPresent(keyed -> onlyFor(keyed, "keep_columns", Strategy.MERGE, strategy));
            spec.deleteWhen().ifPresent(keyed -> onlyFor(keyed, "delete_when", Strategy.MERGE, strategy));
        }
        spec.deleteWhen()
                .map(Keyed::value)
                .filter(written -> written.text().isBlank())
                .ifPresent(
                        written -> problems.add(
                                Code.BAD_VALUE,
                                written.place(),
                                "delete_when is empty",
                                "write a condition on the columns of the SELECT, as in delete_when: 'is_deleted', or take the option out"));
        if (strategy != Strategy.APPEND) {
            spec.duplicates().ifPresent(keyed -> onlyFor(keyed, "duplicates", Strategy.APPEND, strategy));
        }
        if (spec.delivery().isEmpty()) {
            return;
        }
        Keyed<Value.Scalar> delivery = spec.delivery().get();
        Connector connector = connectors.get(ref.connection());
        if (connector != null && !connector.capabilities().transactionalSink()) {
            problems.add(
                    Code.BAD_STRATEGY,
                    delivery.place(),
                    connector.name() + " sinks cannot deliver exactly once: rows and position do not commit together",
                    "take the option out, and use merge with keys");
        }
        if (spec.duplicates().isPresent()) {
            problems.add(
                    Code.BAD_STRATEGY,
                    delivery.place(),
                    "delivery: 'exactly_once' and duplicates: 'accept' contradict each other",
                    "keep one of the two");
        }
    }

    private void onlyFor(Keyed<Value.Scalar> option, String name, Strategy right, Strategy strategy) {
        problems.add(
                Code.BAD_STRATEGY,
                option.place(),
                name + " is for " + right + ", and this sink's strategy is " + strategy,
                "take it out, or write strategy: '" + right + "'");
    }

    private boolean keepColumns(WriteSpec spec) {
        if (spec.keepColumns().isEmpty()) {
            return false;
        }
        Value.Scalar written = spec.keepColumns().get().value();
        if (!written.text().equals("true") && !written.text().equals("false")) {
            badWord(written, "keep_columns", "true or false");
        }
        return written.text().equals("true");
    }

    private OnSchemaChange onSchemaChange(WriteSpec spec) {
        if (spec.onSchemaChange().isEmpty()) {
            return OnSchemaChange.FAIL;
        }
        Value.Scalar written = spec.onSchemaChange().get().value();
        return OnSchemaChange.named(written.text()).orElseGet(() -> {
            badWord(written, "on_schema_change", "fail, ignore or add");
            return OnSchemaChange.FAIL;
        });
    }

    private boolean isWord(Optional<Keyed<Value.Scalar>> option, String name, String word) {
        if (option.isPresent() && !option.get().value().text().equals(word)) {
            badWord(option.get().value(), name, "'" + word + "', or take the option out");
        }
        return option.isPresent();
    }

    private void badWord(Value.Scalar written, String name, String right) {
        problems.add(
                Code.BAD_VALUE, written.place(), name + " is '" + written.text() + "'", "write " + name + ": " + right);
    }
}
