package dev.weir.faults;

import static org.awaitility.Awaitility.await;

import dev.weir.testing.Postgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * A place in Postgres where whoever comes by has to wait, so that a test knows where a process is and keeps it there.
 *
 * <p>Shut from the start; once opened it stays open.
 */
final class Gate implements AutoCloseable {

    private static final int NUMBER = 42;

    /** The row at whose reading, or writing, the gate stands: one in the middle of the third slice. */
    private static final int ROW = 26;

    private final Postgres.Database database;
    private final Connection connection;

    private Gate(Postgres.Database database, Connection connection) {
        this.database = database;
        this.connection = connection;
    }

    /** The rows of a table as a view, with a gate that is passed by reading one of them, and by nothing else. */
    static Gate inReads(Postgres.Database database, String table, String view) throws SQLException {
        // Called stable, which it is not, so that only those who ask for the column come by.
        database.execute(
                "CREATE FUNCTION gate(id bigint) RETURNS text LANGUAGE plpgsql STABLE AS $$ BEGIN IF id = " + ROW
                        + " THEN PERFORM pg_advisory_xact_lock_shared(" + NUMBER + "); END IF; RETURN ''; END $$",
                "CREATE VIEW " + view + " AS SELECT id, customer, price, note || gate(id) AS note, placed FROM "
                        + table);
        return shut(database);
    }

    /** A gate that is passed by writing one row into a table. */
    static Gate inWrites(Postgres.Database database, String table) throws SQLException {
        database.execute(
                "CREATE FUNCTION write_gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                        + " PERFORM pg_advisory_xact_lock_shared(" + NUMBER + "); RETURN NEW; END $$",
                "CREATE TRIGGER gate BEFORE INSERT ON " + table + " FOR EACH ROW WHEN (NEW.id = " + ROW
                        + ") EXECUTE FUNCTION write_gate()");
        return shut(database);
    }

    /** A gate that is passed by committing one new row of a table. */
    static Gate inCommits(Postgres.Database database, String table) throws SQLException {
        database.execute(
                "CREATE FUNCTION commit_gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                        + " PERFORM pg_advisory_xact_lock_shared(" + NUMBER + "); RETURN NULL; END $$",
                "CREATE CONSTRAINT TRIGGER gate AFTER INSERT ON " + table
                        + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.id = " + ROW
                        + ") EXECUTE FUNCTION commit_gate()");
        return shut(database);
    }

    private static Gate shut(Postgres.Database database) throws SQLException {
        Connection connection = database.connect();
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_lock(" + NUMBER + ")");
        }
        return new Gate(database, connection);
    }

    /** Waits until somebody stands at it, or the process that should has ended. */
    void awaitSomebody(Child child) {
        await().atMost(Child.PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> isSomebodyThere() || !child.isAlive());
    }

    boolean isSomebodyThere() {
        return database.value("SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
                        + " AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))")
                .equals("t");
    }

    /** Opens it. */
    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
