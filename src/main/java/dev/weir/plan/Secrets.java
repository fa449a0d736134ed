package dev.weir.plan;

import dev.weir.connector.Connector;
import dev.weir.fault.Redactor;
import dev.weir.project.ConnectionSpec;
import dev.weir.project.Project;
import dev.weir.project.Value;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds what must be shown nowhere, in a project with problems too. Source of the rule: contract, section 2.1. */
public final class Secrets {

    private static final String ALWAYS = "password";

    private Secrets() {}

    /**
     * Hides the values of the options that connectors call secret, of every {@code password}, and of the variables that
     * weir.yml lists as secrets.
     *
     * <p>A connection without a known connector hides what any connector calls secret.
     */
    public static Redactor redactor(Project project, Map<String, Connector> connectors) {
        Set<String> values = new HashSet<>(project.secrets());
        for (ConnectionSpec connection : project.connections()) {
            Set<String> names = secretOptions(connection, connectors);
            connection.options().forEach((name, option) -> {
                if (names.contains(name)) {
                    option.value().map(Value.Scalar::text).ifPresent(values::add);
                }
            });
        }
        return new Redactor(values);
    }

    private static Set<String> secretOptions(ConnectionSpec connection, Map<String, Connector> connectors) {
        Optional<Connector> connector = connection.connector().map(name -> connectors.get(name.text()));
        Set<String> names = new HashSet<>(Set.of(ALWAYS));
        (connector.isPresent() ? Set.of(connector.get()) : connectors.values())
                .forEach(known -> known.options().stream()
                        .filter(Connector.Option::secret)
                        .map(Connector.Option::name)
                        .forEach(names::add));
        return names;
    }
}
