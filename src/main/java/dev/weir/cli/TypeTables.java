package dev.weir.cli;

import dev.weir.connector.Connector;
import dev.weir.connector.TypeMapping;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What types are read as, and what they become in tables that weir creates: as the connectors themselves decide it. */
final class TypeTables {

    private static final int NAME = 32;
    private static final String NOT_READ = "not read";
    private static final String REFUSED = "refused";

    private final List<Connector> connectors;
    private final List<String> weirTypes;

    /** @param weirTypes those that new tables are asked for, one of each family */
    TypeTables(List<Connector> connectors, List<String> weirTypes) {
        this.connectors = connectors;
        this.weirTypes = weirTypes;
    }

    List<String> text() {
        List<String> lines = new ArrayList<>();
        for (Connector connector : connectors) {
            lines.add(connector.name() + ", read as");
            for (TypeMapping type : connector.types()) {
                lines.add(pair(type.systemType(), type.weirType().orElse(NOT_READ)));
                if (!type.note().isEmpty()) {
                    lines.add("    " + type.note());
                }
            }
            lines.add("");
            lines.add(connector.name() + ", in a table weir creates");
            for (String type : weirTypes) {
                lines.add(pair(type, connector.createdFor(type).orElse(REFUSED)));
            }
            lines.add("");
        }
        lines.remove(lines.size() - 1);
        return lines;
    }

    private static String pair(String left, String right) {
        return String.format("  %-" + NAME + "s  %s", left, right);
    }

    List<String> markdown() {
        List<String> lines = new ArrayList<>();
        for (Connector connector : connectors) {
            lines.add("### Read from " + connector.name());
            lines.add("");
            lines.add("| type | read as | |");
            lines.add("| --- | --- | --- |");
            for (TypeMapping type : connector.types()) {
                lines.add("| " + type.systemType() + " | "
                        + type.weirType().map(TypeTables::code).orElse(NOT_READ) + " | "
                        + (type.note().isEmpty() ? "" : type.note() + " ") + "|");
            }
            lines.add("");
        }
        lines.add("### In tables weir creates");
        lines.add("");
        lines.add(row(Stream.concat(Stream.of("type"), connectors.stream().map(Connector::name))));
        lines.add(row(Stream.concat(Stream.of("---"), connectors.stream().map(connector -> "---"))));
        for (String type : weirTypes) {
            lines.add(
                    row(Stream.concat(Stream.of(code(type)), connectors.stream().map(connector -> connector
                            .createdFor(type)
                            .map(TypeTables::code)
                            .orElse(REFUSED)))));
        }
        return lines;
    }

    private static String row(Stream<String> cells) {
        return cells.collect(Collectors.joining(" | ", "| ", " |"));
    }

    private static String code(String type) {
        return "`" + type + "`";
    }
}
