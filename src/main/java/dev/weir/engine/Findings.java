package dev.weir.engine;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/** What a walk through a parse tree has found, each at its place of the text. Used by one thread. */
final class Findings {

    private final List<Found> found = new ArrayList<>();

    /**
     * @param position in bytes of UTF-8 from 0; empty: nowhere the tree names
     * @param reason a sentence
     */
    record Found(OptionalInt position, String reason) {}

    /** In the order of the text. */
    List<Found> inOrder() {
        return found.stream()
                .sorted(Comparator.comparingInt(each -> each.position().orElse(Integer.MAX_VALUE)))
                .toList();
    }

    void add(JsonNode place, String reason) {
        found.add(new Found(ParseTree.position(place), reason));
    }

    /** A finding where the rows come from a slice. */
    void above(Set<String> read, JsonNode place, String what) {
        if (!read.isEmpty()) {
            add(place, what + " above " + names(read));
        }
    }

    /** A clause of the SELECT, found where its rows come from a slice. */
    void clause(Set<String> read, JsonNode place, String clause) {
        above(read, place, clause + " stands");
    }

    void unknown(JsonNode place, String what) {
        add(place, "weir does not know what " + what + " does with the rows of a slice");
    }

    /** A field the walk was not written for, and which says something, is a finding. */
    void known(JsonNode node, String... fields) {
        ParseTree.others(node, fields).forEach(field -> unknown(node, field));
    }

    /** The same for a table, with the fields every table has. */
    void knownTable(JsonNode node, String... fields) {
        List<String> all = new ArrayList<>(List.of(fields));
        all.addAll(List.of("alias", "sample", "column_name_alias"));
        known(node, all.toArray(String[]::new));
    }

    static String names(Set<String> relations) {
        return String.join(" and ", new TreeSet<>(relations));
    }
}
