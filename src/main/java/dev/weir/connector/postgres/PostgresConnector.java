package dev.weir.connector.postgres;

import dev.weir.connector.ConnectionSettings;
import dev.weir.connector.Connector;
import dev.weir.connector.DuckSession;
import dev.weir.connector.Sink;
import dev.weir.connector.Source;
import dev.weir.connector.TypeMapping;
import dev.weir.connector.jdbc.DuckType;
import dev.weir.slicing.Strategy;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Reads from and writes to PostgreSQL, 11 or later, and what speaks its protocol in full.
 *
 * <p>Stateless and thread-safe. Source of the rules: contract, sections 2.4 and 3.1.
 */
public final class PostgresConnector implements Connector {

    /** How long one of our transactions may wait on weir before the server ends it and frees its locks. */
    static final Duration IDLE_LIMIT = Duration.ofMinutes(10);

    private static final List<Option> OPTIONS = List.of(
            new Option("host", true, false, "the server's name or address"),
            new Option("port", false, false, "the server's port; 5432 when it is not given"),
            new Option("database", true, false, "the database"),
            new Option("user", false, false, "the role; the operating system's user when it is not given"),
            new Option("password", false, true, "the role's password"),
            new Option(
                    "sslmode",
                    false,
                    false,
                    Address.SSL_MODES,
                    "how the connection is encrypted; prefer when it is not given"),
            new Option(
                    "sslrootcert",
                    false,
                    false,
                    "a file with the certificates to trust, for verify-ca and verify-full"),
            new Option(
                    "streams",
                    false,
                    false,
                    "over how many connections, 1 to 16, a large slice is read at once; 1 when it is not given"));

    @Override
    public String name() {
        return "postgres";
    }

    @Override
    public List<Option> options() {
        return OPTIONS;
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(true, true, Set.of(Strategy.values()));
    }

    @Override
    public List<TypeMapping> types() {
        return KnownTypes.mappings();
    }

    @Override
    public Optional<String> createdFor(String weirType) {
        return SinkTypes.created(DuckType.named(weirType));
    }

    @Override
    public Optional<String> leadsTo(ConnectionSettings settings) {
        return settings.option("host").flatMap(host -> settings.option("database")
                .map(database -> host.toLowerCase(Locale.ROOT) + ":"
                        + settings.option("port").orElse(String.valueOf(Address.DEFAULT_PORT)) + "/" + database));
    }

    @Override
    public Source source(ConnectionSettings settings, DuckSession session) {
        return new PostgresSource(Address.of(settings), Streams.of(settings));
    }

    @Override
    public Sink sink(ConnectionSettings settings, DuckSession session) {
        return new PostgresSink(Address.of(settings), session);
    }
}
