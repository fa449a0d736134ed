package dev.weir.connector;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One kind of system weir can read from or write to: {@code postgres}, {@code duckdb}.
 *
 * <p>Stateless and thread-safe; sources and sinks it opens are not.
 */
public interface Connector {

    /** What users write as {@code connector:}. */
    String name();

    /** The keys a connection of this kind takes beside {@code connector} and {@code entities}. */
    List<Option> options();

    /** What connections of this kind can do. A claim made here is a test of the connector kit. */
    Capabilities capabilities();

    /** What each of the system's types is read as where {@code columns} declares nothing else. Opens nothing. */
    List<TypeMapping> types();

    /**
     * The type of a column that weir creates for a type.
     *
     * @param weirType as DuckDB prints it
     * @return empty where the system has none that keeps every value, so that such a column is refused: {@code WR0523}
     */
    Optional<String> createdFor(String weirType);

    /**
     * What a connection leads to, so that two that lead to one database are known as such; empty where that cannot be
     * told. Opens nothing.
     *
     * @param settings as written: an option may be missing or wrong
     */
    default Optional<String> leadsTo(ConnectionSettings settings) {
        return Optional.empty();
    }

    /** Whether only one process at a time can open what a connection leads to. */
    default boolean isExclusive() {
        return false;
    }

    /** Whether a snapshot can be open while the same system is written to, and neither waits for the other. */
    default boolean readsBesideWrites() {
        return true;
    }

    /**
     * Opens a connection for reading. Nothing is sent to the system before the first call that needs an answer.
     *
     * @param session the DuckDB session slices are staged in
     */
    Source source(ConnectionSettings settings, DuckSession session);

    /**
     * Opens a connection for writing. Nothing is sent to the system before the first call that needs an answer.
     *
     * @param session the DuckDB session staged rows are read from
     */
    Sink sink(ConnectionSettings settings, DuckSession session);

    /**
     * One key of a connection.
     *
     * @param required whether a connection is incomplete without it
     * @param secret whether its value must be shown nowhere
     * @param words the values it takes; empty: any
     * @param description what it is, in words that follow an "add it:"
     */
    record Option(String name, boolean required, boolean secret, List<String> words, String description) {

        public Option {
            words = List.copyOf(words);
        }

        /** One that takes any value. */
        public Option(String name, boolean required, boolean secret, String description) {
            this(name, required, secret, List.of(), description);
        }
    }

    /**
     * What a system can do.
     *
     * @param transactionalSink rows and marks commit together, so that delivery is exactly once
     * @param strategies the strategies its sinks take; empty: it is no sink
     */
    record Capabilities(boolean source, boolean transactionalSink, Set<dev.weir.slicing.Strategy> strategies) {}
}
