package dev.weir.connector;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The one DuckDB instance of a process: slices are staged in it, pipelines run in it, DuckDB files are attached to it.
 *
 * <p>Thread-safe; the connections it gives are not, each is used by one thread at a time. Every connection runs in UTC,
 * loads no extension from anywhere, and is closed by who asked for it.
 */
public interface DuckSession {

    /** A new connection to the instance, in autocommit, with {@code staging} objects visible by qualified name. */
    Connection connect() throws SQLException;

    /** Ends what the session itself runs on a connection it gave, soon, with an error. Thread-safe; never fails. */
    void interrupt(Connection connection);

    /**
     * Attaches a DuckDB file, once a canonical path however often it is asked for.
     *
     * @param file the file; created when it does not exist and {@code written} is true
     * @param written whether anything in this process writes to it
     * @param place what an error names: the connection
     * @return the attachment; the file is released when the last one on it is closed
     * @throws dev.weir.fault.RunException when the file is no DuckDB database, or another process holds it (named) and
     *     does not let go in a bounded time
     */
    Attachment attach(Path file, boolean written, String place);

    /** A DuckDB identifier, quoted: the one function that does it. */
    static String quoted(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    /** An identifier as DuckDB compares it: without the case of its ASCII letters, and no others. */
    static String folded(String identifier) {
        StringBuilder folded = new StringBuilder(identifier);
        for (int i = 0; i < folded.length(); i++) {
            char c = folded.charAt(i);
            if (c >= 'A' && c <= 'Z') {
                folded.setCharAt(i, (char) (c - 'A' + 'a'));
            }
        }
        return folded.toString();
    }

    /** A DuckDB text literal. For names and paths where DuckDB takes no parameter; rows' values are bound. */
    static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    /** A DuckDB file in use. */
    interface Attachment extends AutoCloseable {

        /** The catalog name the file is attached as, not quoted. */
        String catalog();

        /** Writes the log into the file if it has grown long. Between transactions; never fails. */
        void fold();

        @Override
        void close();
    }
}
