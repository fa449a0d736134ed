package dev.weir.connector.postgres;

import dev.weir.connector.ConnectionSettings;
import dev.weir.fault.Code;
import dev.weir.fault.UsageException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.util.HostSpec;

/**
 * Where a server is and how it is entered.
 *
 * <p>User and password travel as driver properties, never in the URL, so that no driver message can echo them. Source of
 * the rule: contract, section 2.1.
 */
final class Address {

    /** How sessions that only read call themselves, so that others of weir know that they hold nothing back. */
    static final String READER = "weir reader";

    static final int DEFAULT_PORT = 5432;
    private static final String CONNECT_SECONDS = "10";
    private static final String LOGIN_SECONDS = "30";
    private static final int NO_LIMIT = 0;
    private static final String CANCEL_SECONDS = "3";
    static final List<String> SSL_MODES = List.of("disable", "allow", "prefer", "require", "verify-ca", "verify-full");

    private final String connection;
    private final String host;
    private final int port;
    private final String database;
    private final Properties properties;

    private Address(String connection, String host, int port, String database, Properties properties) {
        this.connection = connection;
        this.host = host;
        this.port = port;
        this.database = database;
        this.properties = properties;
    }

    /** @throws UsageException when an option has a value it cannot take */
    static Address of(ConnectionSettings settings) {
        String name = settings.name();
        String host = required(settings, "host");
        if (!host.matches("[\\p{Alnum}._:%\\[\\]-]+")) {
            throw wrong(
                    name,
                    "host '" + host + "' is no host name or address",
                    "write the name alone, without user or path");
        }
        Properties properties = new Properties();
        PGProperty.USER.set(properties, settings.option("user").orElse(System.getProperty("user.name")));
        settings.option("password").ifPresent(password -> PGProperty.PASSWORD.set(properties, password));
        settings.option("sslmode").ifPresent(mode -> {
            if (!SSL_MODES.contains(mode)) {
                throw wrong(name, "sslmode '" + mode + "' is none", "write one of " + String.join(", ", SSL_MODES));
            }
            PGProperty.SSL_MODE.set(properties, mode);
        });
        settings.option("sslrootcert")
                .ifPresent(file -> PGProperty.SSL_ROOT_CERT.set(properties, resolved(settings, file)));
        PGProperty.APPLICATION_NAME.set(properties, "weir");
        PGProperty.ASSUME_MIN_SERVER_VERSION.set(properties, "10");
        // Without it the driver switches off what KeepAlive has set on the socket.
        PGProperty.TCP_KEEP_ALIVE.set(properties, true);
        PGProperty.CONNECT_TIMEOUT.set(properties, CONNECT_SECONDS);
        PGProperty.SOCKET_TIMEOUT.set(properties, LOGIN_SECONDS);
        PGProperty.CANCEL_SIGNAL_TIMEOUT.set(properties, CANCEL_SECONDS);
        // Named statements would outlive their transaction, and belong to nobody behind a pooler.
        PGProperty.PREPARE_THRESHOLD.set(properties, 0);
        return new Address(name, host, port(settings), required(settings, "database"), properties);
    }

    /** The same address, entered to read only. */
    Address reading() {
        Properties reader = new Properties();
        reader.putAll(properties);
        PGProperty.APPLICATION_NAME.set(reader, READER);
        return new Address(connection, host, port, database, reader);
    }

    private static String resolved(ConnectionSettings settings, String file) {
        return settings.projectDir().resolve(Path.of(file)).toString();
    }

    private static String required(ConnectionSettings settings, String option) {
        Optional<String> value = settings.option(option).filter(text -> !text.isBlank());
        return value.orElseThrow(() -> wrong(
                settings.name(), "the option " + option + " is missing", "add " + option + ": to the connection"));
    }

    private static int port(ConnectionSettings settings) {
        String text = settings.option("port").orElse(Integer.toString(DEFAULT_PORT));
        if (!text.matches("[0-9]{1,5}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > 65_535) {
            throw wrong(settings.name(), "port '" + text + "' is no port", "write a number from 1 to 65535");
        }
        return Integer.parseInt(text);
    }

    static UsageException wrong(String connection, String what, String remedy) {
        return new UsageException(Code.BAD_VALUE, connection, what, remedy);
    }

    /** The connection's name in the project. */
    String connection() {
        return connection;
    }

    String database() {
        return database;
    }

    String user() {
        return String.valueOf(PGProperty.USER.getOrDefault(properties));
    }

    /**
     * Connects.
     *
     * <p>The driver's own limit on a login would have a thread do it that nothing can end; here each answer of the server
     * is waited for that long, and the sockets can be closed at any time.
     */
    PgConnection connect(Sockets sockets) throws SQLException {
        Properties complete = Objects.requireNonNull(Driver.parseURL(url(), properties));
        HostSpec[] hosts = {new HostSpec(bareHost(), port)};
        PgConnection connection = new PgConnection(hosts, sockets.in(complete), url());
        connection.setNetworkTimeout(Runnable::run, NO_LIMIT);
        return connection;
    }

    private String url() {
        String written = host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
        return "jdbc:postgresql://" + written + ":" + port + "/" + URLEncoder.encode(database, StandardCharsets.UTF_8);
    }

    private String bareHost() {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    /** Host, port and database, for messages. */
    @Override
    public String toString() {
        return host + ":" + port + "/" + database;
    }
}
