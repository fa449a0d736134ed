package dev.weir.plan;

import dev.weir.connector.ConnectionSettings;
import dev.weir.connector.Connector;
import dev.weir.fault.Code;
import dev.weir.project.ConnectionSpec;
import dev.weir.project.Grammar;
import dev.weir.project.Nearest;
import dev.weir.project.Problems;
import dev.weir.project.Value;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Checks connections against what their connectors take. Never quotes a value: it may be a secret. */
final class ConnectionCheck {

    private final Map<String, Connector> connectors;
    private final Problems problems;

    ConnectionCheck(Map<String, Connector> connectors, Problems problems) {
        this.connectors = connectors;
        this.problems = problems;
    }

    /** The connector of a connection, its options checked; empty, and a problem, when nobody knows the connector. */
    Optional<Connector> check(ConnectionSpec spec) {
        if (spec.connector().isEmpty()) {
            return Optional.empty();
        }
        Value.Scalar name = spec.connector().get();
        Connector connector = connectors.get(name.text());
        if (connector == null) {
            problems.add(
                    Code.UNKNOWN_CONNECTOR,
                    name.place(),
                    "there is no connector '" + name.text() + "'",
                    Nearest.hint(name.text(), connectors.keySet()));
            return Optional.empty();
        }
        required(spec, connector);
        List<String> known =
                connector.options().stream().map(Connector.Option::name).toList();
        List<String> all = Stream.concat(known.stream(), Grammar.CONNECTION.names().stream())
                .toList();
        connector.options().forEach(option -> checkWord(spec, option));
        spec.options().forEach((key, option) -> {
            if (!known.contains(key)) {
                problems.add(
                        Code.UNKNOWN_KEY,
                        option.place(),
                        connector.name() + " connections take no '" + key + "'",
                        Nearest.hint(key, all));
            }
        });
        return Optional.of(connector);
    }

    private void required(ConnectionSpec spec, Connector connector) {
        for (Connector.Option option : connector.options()) {
            ConnectionSpec.Option given = spec.options().get(option.name());
            if (given == null && option.required()) {
                problems.add(
                        Code.MISSING_KEY,
                        spec.place(),
                        "the connection '" + spec.name() + "' has no '" + option.name() + "'",
                        "add it: " + option.description());
            } else if (given != null && option.required() && isEmpty(given)) {
                problems.add(
                        Code.BAD_VALUE,
                        given.place(),
                        spec.name() + "." + option.name() + " is empty",
                        "write " + option.description());
            }
        }
    }

    private void checkWord(ConnectionSpec spec, Connector.Option option) {
        Optional.ofNullable(spec.options().get(option.name()))
                .flatMap(ConnectionSpec.Option::value)
                .filter(value -> !option.words().isEmpty() && !option.words().contains(value.text()))
                .ifPresent(value -> problems.add(
                        Code.BAD_VALUE,
                        value.place(),
                        spec.name() + "." + option.name() + " is '" + value.text() + "'",
                        "write one of " + String.join(", ", option.words())));
    }

    private static boolean isEmpty(ConnectionSpec.Option option) {
        return option.value().filter(value -> value.text().isEmpty()).isPresent();
    }

    static ConnectionSettings settings(ConnectionSpec spec, Path dir, boolean written) {
        Map<String, String> options = new HashMap<>();
        spec.options().forEach((name, option) -> option.value().ifPresent(value -> options.put(name, value.text())));
        return new ConnectionSettings(spec.name(), options, dir, written);
    }
}
