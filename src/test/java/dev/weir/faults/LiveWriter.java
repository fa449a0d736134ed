package dev.weir.faults;

import dev.weir.testing.Postgres;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.postgresql.PGConnection;

/**
 * Somebody who writes into the tables of a {@link LiveWorld}, one transaction after another, until it is told to stop:
 * inserts of every kind, updates, deletes, savepoints; committed, rolled back, or prepared first; some of them long.
 */
final class LiveWriter implements Callable<Long> {

    /** Who waited too long for a row of another, or for one who waited for it. */
    private static final Set<String> CROSSED = Set.of("55P03", "40P01");

    /** While there is one, nothing that is new is read: one at a time, and not always. */
    private static final Semaphore PREPARED = new Semaphore(1);

    private static final AtomicLong VALUES = new AtomicLong();

    private final Postgres.Database source;
    private final Random random;
    private final AtomicBoolean stop;
    private long transactions;

    LiveWriter(Postgres.Database source, long seed, AtomicBoolean stop) {
        this.source = source;
        this.random = new Random(seed);
        this.stop = stop;
    }

    /** @return how many transactions it committed */
    @Override
    public Long call() throws SQLException, IOException, InterruptedException {
        try (Connection connection = source.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET TimeZone = 'UTC'");
            statement.execute("SET lock_timeout = '300ms'");
            while (!stop.get()) {
                transaction(connection, statement);
            }
        }
        return transactions;
    }

    private void transaction(Connection connection, Statement statement)
            throws SQLException, IOException, InterruptedException {
        statement.execute("BEGIN");
        try {
            int acts = 1 + random.nextInt(4);
            for (int i = 0; i < acts; i++) {
                act(connection, statement);
                hold(statement, 60);
            }
            hold(statement, random.nextInt(20) == 0 ? 1_300 : random.nextInt(5) == 0 ? 400 : 60);
        } catch (SQLException e) {
            statement.execute("ROLLBACK");
            if (CROSSED.contains(e.getSQLState())) {
                return;
            }
            throw e;
        }
        end(statement);
    }

    private void hold(Statement statement, int most) throws SQLException {
        statement.execute("SELECT pg_sleep(" + random.nextInt(most) / 1_000.0 + ")");
    }

    private void act(Connection connection, Statement statement) throws SQLException, IOException {
        String table = random.nextBoolean() ? "plain" : "parts";
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> statement.execute(insert(table, part(), "now()"));
            case 3 -> statement.execute(insert("parts_" + random.nextInt(2), "-1", "clock_timestamp()"));
            case 4 -> copy(connection, table);
            case 5, 6 ->
                statement.execute(
                        "UPDATE " + table + " SET v = " + value() + ", updated_at = now() WHERE " + one(table));
            case 7 ->
                statement.execute("UPDATE " + table + " SET v = " + value() + ", updated_at = clock_timestamp() WHERE "
                        + one(table));
            case 8 -> statement.execute("DELETE FROM " + table + " WHERE " + one(table));
            default -> undone(statement, table);
        }
    }

    /** Some go back to a savepoint and write on, some keep what follows it. */
    private void undone(Statement statement, String table) throws SQLException {
        statement.execute("SAVEPOINT s");
        statement.execute(insert(table, part(), "now()"));
        statement.execute(random.nextBoolean() ? "ROLLBACK TO SAVEPOINT s" : "RELEASE SAVEPOINT s");
        statement.execute(insert(table, part(), "now()"));
    }

    private String part() {
        return Integer.toString(random.nextInt(2));
    }

    /** @param part -1: the one part there is */
    private static String insert(String table, String part, String updated) {
        String k = part.equals("-1") ? table.substring(table.length() - 1) : part;
        return "INSERT INTO " + table + " (k, v, updated_at) VALUES (" + k + ", " + value() + ", " + updated + ")";
    }

    private void copy(Connection connection, String table) throws SQLException, IOException {
        String rows = "0\t" + value() + "\n1\t" + value() + "\n0\t" + value() + "\n";
        connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn("COPY " + table + " (k, v) FROM STDIN", new StringReader(rows));
    }

    private String one(String table) {
        String order = random.nextBoolean() ? " DESC" : "";
        return "id = (SELECT id FROM " + table + " WHERE id > 2 ORDER BY id" + order + " OFFSET " + random.nextInt(30)
                + " LIMIT 1)";
    }

    private static long value() {
        return VALUES.incrementAndGet();
    }

    private void end(Statement statement) throws SQLException, InterruptedException {
        int how = random.nextInt(100);
        if (how < 12) {
            statement.execute("ROLLBACK");
        } else if (how < 15 && PREPARED.tryAcquire()) {
            try {
                prepared(statement);
            } finally {
                PREPARED.release();
            }
        } else {
            statement.execute("COMMIT");
            transactions++;
        }
    }

    private void prepared(Statement statement) throws SQLException {
        String name = "'" + source.name() + "-" + value() + "'";
        statement.execute("PREPARE TRANSACTION " + name);
        hold(statement, 150);
        statement.execute((random.nextInt(4) == 0 ? "ROLLBACK" : "COMMIT") + " PREPARED " + name);
        transactions++;
    }
}
