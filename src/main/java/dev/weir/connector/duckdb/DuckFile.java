package dev.weir.connector.duckdb;

import static dev.weir.connector.DuckSession.quoted;

import dev.weir.connector.ConnectionSettings;
import dev.weir.connector.DuckSession;
import dev.weir.connector.DuckSession.Attachment;
import dev.weir.connector.TableName;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The file behind a connection: attached when it is first needed, released when the connection ends. */
final class DuckFile implements AutoCloseable {

    static final String DEFAULT_SCHEMA = "main";

    private final ConnectionSettings settings;
    private final DuckSession session;
    private final Path path;
    private @Nullable Attachment attachment;

    DuckFile(ConnectionSettings settings, DuckSession session) {
        this.settings = settings;
        this.session = session;
        this.path = settings.projectDir()
                .resolve(settings.option(DuckDbConnector.PATH)
                        .orElseThrow(() -> new IllegalArgumentException("a duckdb connection without path")));
    }

    /** The connection's name, for places. */
    String name() {
        return settings.name();
    }

    /** Attaches the file as it is. */
    String catalog() {
        return attached(settings.written());
    }

    /** Attaches the file for writing, and creates it when it does not exist. */
    String writtenCatalog() {
        return attached(true);
    }

    /** Attaches the file unless there is none: looking must not create it. */
    Optional<String> existingCatalog() {
        return attachment != null || Files.exists(path) ? Optional.of(catalog()) : Optional.empty();
    }

    /** Writes the log into the file if it has grown long. */
    void fold() {
        if (attachment != null) {
            attachment.fold();
        }
    }

    private String attached(boolean written) {
        Attachment open = attachment;
        if (open == null) {
            open = session.attach(path, written, name());
            attachment = open;
        }
        return open.catalog();
    }

    /** A new connection in the session, with the file's own names in reach. */
    Connection connect(String catalog) throws SQLException {
        Connection connection = session.connect();
        try {
            DuckSql.execute(connection, "USE " + quoted(catalog));
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** Ends what the session runs on a connection. */
    Runnable interrupting(Connection connection) {
        return () -> session.interrupt(connection);
    }

    /** The schema a table's name means. */
    static String schema(TableName table) {
        return table.parts().size() == 1
                ? DEFAULT_SCHEMA
                : table.parts().get(table.parts().size() - 2);
    }

    /** The table, qualified and quoted. */
    static String qualified(String catalog, TableName table) {
        return qualified(catalog, schema(table), table.table());
    }

    static String qualified(String catalog, String schema, String table) {
        return quoted(catalog) + "." + quoted(schema) + "." + quoted(table);
    }

    /** @throws RunException when the name says which file it is in: a connection is one file */
    void checkParts(Code code, TableName table) {
        if (table.parts().size() > 2) {
            throw new RunException(
                    code,
                    name() + "." + table,
                    "the name has three parts, and a duckdb connection is one file",
                    "write it as schema.table, or as table for the schema main");
        }
    }

    /** Never fails. */
    @Override
    public void close() {
        Attachment open = attachment;
        attachment = null;
        if (open != null) {
            open.close();
        }
    }
}
