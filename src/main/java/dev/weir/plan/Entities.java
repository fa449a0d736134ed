package dev.weir.plan;

import dev.weir.connector.TableName;
import dev.weir.fault.Code;
import dev.weir.project.ConnectionSpec;
import dev.weir.project.EntitySpec;
import dev.weir.project.Nearest;
import dev.weir.project.Place;
import dev.weir.project.Problems;
import dev.weir.project.Project;
import dev.weir.project.Value;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds the entities that calls name, by their full or their short names. Source of the rule: contract, section 2.1. */
final class Entities {

    private final boolean connectionsKnown;
    private final Map<String, Map<TableName, EntitySpec>> declared = new LinkedHashMap<>();
    /** The names under which tables are read, by connection. */
    private final Map<String, Set<TableName>> readNames = new HashMap<>();

    private final Problems problems;

    Entities(Project project, Problems problems) {
        this.connectionsKnown = project.connectionsKnown();
        this.problems = problems;
        for (ConnectionSpec connection : project.connections()) {
            declared.put(connection.name(), declared(connection));
        }
    }

    private Map<TableName, EntitySpec> declared(ConnectionSpec connection) {
        Map<TableName, EntitySpec> entities = new LinkedHashMap<>();
        Map<TableName, Place> places = new HashMap<>();
        for (EntitySpec entity : connection.entities()) {
            Optional<TableName> name = parse(entity.name());
            Place first = name.isEmpty()
                    ? null
                    : places.putIfAbsent(name.get(), entity.name().place());
            if (first != null) {
                problems.add(
                        Code.DUPLICATE_KEY,
                        entity.name().place(),
                        "'" + entity.name().text() + "' is declared already at " + first,
                        "keep one of the two");
            } else if (name.isPresent()) {
                entities.put(name.get(), entity);
            }
        }
        return entities;
    }

    private Optional<TableName> parse(Value.Scalar text) {
        try {
            return Optional.of(TableName.parse(text.text()));
        } catch (IllegalArgumentException e) {
            problems.add(
                    Code.BAD_VALUE,
                    text.place(),
                    "'" + text.text() + "' is no name of a table",
                    "write table, schema.table or catalog.schema.table; put a part with dots in double quotes");
            return Optional.empty();
        }
    }

    /** The entity a call names, declared or not; empty, and a problem, when it names none or more than one. */
    Optional<EntityRef> find(Value.Scalar connection, Value.Scalar entity) {
        if (!connectionsKnown) {
            return Optional.empty();
        }
        Map<TableName, EntitySpec> known = declared.get(connection.text());
        if (known == null) {
            problems.add(
                    Code.UNKNOWN_CONNECTION,
                    connection.place(),
                    "there is no connection '" + connection.text() + "'",
                    "declare it in connections.yml; " + Nearest.hint(connection.text(), declared.keySet()));
            return Optional.empty();
        }
        return parse(entity).flatMap(name -> find(connection.text(), known, name, entity));
    }

    private Optional<EntityRef> find(
            String connection, Map<TableName, EntitySpec> known, TableName name, Value.Scalar written) {
        List<TableName> found = known.containsKey(name)
                ? List.of(name)
                : known.keySet().stream()
                        .filter(candidate -> candidate.endsIn(name))
                        .toList();
        if (found.size() > 1) {
            problems.add(
                    Code.AMBIGUOUS_ENTITY,
                    written.place(),
                    "'" + written.text() + "' means more than one entity of " + connection,
                    "write one of: "
                            + String.join(
                                    ", ",
                                    found.stream().map(TableName::toString).toList()));
            return Optional.empty();
        }
        return Optional.of(new EntityRef(connection, found.isEmpty() ? name : found.get(0)));
    }

    /**
     * Refuses a second name of what may be one table, as {@code orders} and {@code public.orders} are: it would be read
     * twice, and under another position. Two that are declared are two.
     */
    void refuseSecondName(EntityRef read, Value.Scalar written) {
        Set<TableName> all = new LinkedHashSet<>(declared.get(read.connection()).keySet());
        all.addAll(readNames.computeIfAbsent(read.connection(), name -> new LinkedHashSet<>()));
        readNames.get(read.connection()).add(read.name());
        all.stream()
                .filter(other -> !other.equals(read.name()))
                .filter(other -> other.endsIn(read.name()) || read.name().endsIn(other))
                .filter(other -> !(isDeclared(read) && isDeclared(new EntityRef(read.connection(), other))))
                .findFirst()
                .ifPresent(other -> problems.add(
                        Code.AMBIGUOUS_ENTITY,
                        written.place(),
                        "'" + written.text() + "' may be the same table as " + other
                                + ", which goes by that name elsewhere",
                        "write the same name in both places; if they are two tables, declare both under entities:"));
    }

    private boolean isDeclared(EntityRef ref) {
        return declared.getOrDefault(ref.connection(), Map.of()).containsKey(ref.name());
    }

    /** What connections.yml says of an entity. */
    Optional<EntitySpec> spec(EntityRef ref) {
        return Optional.ofNullable(
                declared.getOrDefault(ref.connection(), Map.of()).get(ref.name()));
    }

    /** Every entity of connections.yml. */
    List<EntityRef> all() {
        return declared.entrySet().stream()
                .flatMap(connection ->
                        connection.getValue().keySet().stream().map(name -> new EntityRef(connection.getKey(), name)))
                .toList();
    }
}
