package dev.weir.cli;

import dev.weir.connector.Connector;
import java.time.Clock;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir schema print}. */
@Command(
        name = "print",
        description = {
            "Prints a JSON Schema of a project's file, for editors.",
            "They complete keys by it, and mark what is wrong. weir init writes both into .schema, and begins the files with a line that editors with a YAML language server"
                    + " follow. After an update of weir print them again."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir schema print connections    into a file: > .schema/connections.json",
            "  weir schema print weir           into a file: > .schema/weir.json"
        })
final class SchemaPrintCommand implements Callable<Integer> {

    /** Where the files of a new project expect them. */
    static final String FOLDER = ".schema";

    private final Console console;

    @Parameters(paramLabel = "FILE", description = "Which file: ${COMPLETION-CANDIDATES}.")
    private File file = File.CONNECTIONS;

    SchemaPrintCommand(Console console) {
        this.console = console;
    }

    /** A file that has a schema. */
    enum File {
        CONNECTIONS,
        WEIR;

        String schema(Collection<Connector> connectors) {
            return (this == CONNECTIONS ? EditorSchema.connections(connectors) : EditorSchema.weir()).toPrettyString();
        }

        /** As it is typed. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The schemas by the names that the first lines of a new project's files give them. */
    static Map<String, String> files(Clock clock) {
        Map<String, String> files = new LinkedHashMap<>();
        for (File file : File.values()) {
            files.put(
                    FOLDER + "/" + file + ".json",
                    file.schema(Connectors.all(clock).values()) + "\n");
        }
        return files;
    }

    @Override
    public Integer call() {
        console.out().println(file.schema(Connectors.all(console.clock()).values()));
        return 0;
    }
}
