package dev.weir.project;

import dev.weir.fault.Code;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads connections.yml, its variables expanded already. */
final class ConnectionsReader {

    private final Problems problems;

    ConnectionsReader(Problems problems) {
        this.problems = problems;
    }

    List<ConnectionSpec> read(Value.Mapping root) {
        List<ConnectionSpec> connections = new ArrayList<>();
        for (Value.Entry entry : root.entries()) {
            Value.Scalar name = entry.key();
            if (!Grammar.CONNECTION_NAME.matcher(name.text()).matches()) {
                problems.add(
                        Code.BAD_VALUE,
                        name.place(),
                        "'" + name.text() + "' is no name for a connection",
                        "use letters, digits, _ and -, and begin with a letter");
            }
            connections.add(connection(name, entry.value()));
        }
        return connections;
    }

    private ConnectionSpec connection(Value.Scalar name, Value value) {
        Optional<Value.Mapping> mapping = Fields.mapping(value, name.text(), problems);
        if (mapping.isEmpty()) {
            return new ConnectionSpec(name.text(), name.place(), Optional.empty(), Map.of(), Limits.NONE, List.of());
        }
        Fields fields = new Fields(mapping.get(), name.text(), Grammar.CONNECTION, problems);
        Optional<Value.Scalar> connector = fields.scalar("connector").map(Keyed::value);
        if (mapping.get().entry("connector").isEmpty()) {
            problems.add(
                    Code.MISSING_KEY,
                    name.place(),
                    "the connection '" + name.text() + "' has no 'connector'",
                    "say what it connects to, as in 'connector: postgres'");
        }
        List<EntitySpec> entities = fields.mapping("entities")
                .map(keyed -> entities(name.text() + ".entities", keyed.value()))
                .orElse(List.of());
        Limits limits = new LimitsReader(fields, name.text(), problems).read();
        Map<String, ConnectionSpec.Option> options = new HashMap<>();
        for (Value.Entry entry : fields.others()) {
            String key = entry.key().text();
            Optional<Value.Scalar> option = Fields.scalar(entry.value(), name.text() + "." + key, problems);
            options.put(key, new ConnectionSpec.Option(entry.key().place(), option));
        }
        return new ConnectionSpec(name.text(), name.place(), connector, options, limits, entities);
    }

    private List<EntitySpec> entities(String path, Value.Mapping mapping) {
        EntityReader reader = new EntityReader(problems, Code.UNKNOWN_KEY);
        return mapping.entries().stream()
                .map(entry -> reader.entity(
                        entry.key(), entry.value(), path + "." + entry.key().text()))
                .toList();
    }
}
