package dev.weir.bench;

import dev.weir.bench.Command.FailedException;
import dev.weir.bench.Command.Taken;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A table of orders in the source, how long its server takes to send it, and whether a copy of it is one. */
record Orders(String table, Path folder) {

    private static final String SUMS =
            "SELECT count(*), count(DISTINCT id), sum(id), sum(customer_id), sum(price), count(note), sum(CASE WHEN paid THEN 1 ELSE 0 END) FROM ";

    /** What a tool may change that keeps no types: the rows are still told apart by this. */
    private static final String ROWS = "SELECT count(*), count(DISTINCT id), sum(id) FROM ";

    /** The floor: the server's binary COPY of the whole table, thrown away. */
    Taken floor() throws IOException, InterruptedException, FailedException {
        return psql("-d", source(), "-c", copyOut());
    }

    /** What a pipe of {@code psql} takes for the same that weir does between two databases of the server. */
    Taken floorIntoPostgres() throws IOException, InterruptedException, FailedException {
        psql(
                "-d",
                target(),
                "-c",
                "DROP TABLE IF EXISTS staged, merged",
                "-c",
                create("staged", ""),
                "-c",
                create("merged", " PRIMARY KEY"));
        Taken taken = Command.silent(
                        folder,
                        "bash",
                        "-c",
                        "set -euo pipefail; psql -Xq -d \"$1\" -c \"$3\" | psql -Xq -d \"$2\" -c \"$4\"; psql -Xq -d \"$2\" -c \"$5\"",
                        "bash",
                        source(),
                        target(),
                        copyOut(),
                        "COPY staged FROM STDIN (FORMAT binary)",
                        "INSERT INTO merged SELECT * FROM staged ON CONFLICT (id) DO UPDATE SET customer_id = excluded.customer_id,"
                                + " status = excluded.status, amount = excluded.amount, price = excluded.price, note = excluded.note,"
                                + " created_at = excluded.created_at, updated_at = excluded.updated_at, paid = excluded.paid")
                .run();
        check(postgres(target()), "merged");
        psql("-d", target(), "-c", "DROP TABLE staged, merged");
        return taken;
    }

    /** Makes the table that weir is to fill: the same as {@link #floorIntoPostgres} has. */
    void makeTarget() throws IOException, InterruptedException, FailedException {
        psql(
                "-d",
                target(),
                "-c",
                "DROP SCHEMA IF EXISTS public CASCADE",
                "-c",
                "CREATE SCHEMA public",
                "-c",
                create("orders", " PRIMARY KEY"));
    }

    /** Lets the server write what it owes to its disk, so that the next measurement does not pay for the last. */
    void settle() throws IOException, InterruptedException {
        try {
            psql("-d", target(), "-c", "CHECKPOINT");
        } catch (FailedException e) {
            // A server that was given may not allow it: then it is measured as it is.
            System.err.println("bench: " + e.getMessage());
        }
    }

    private static String create(String name, String key) {
        return "CREATE TABLE " + name + " (id bigint NOT NULL" + key
                + ", customer_id bigint NOT NULL, status text, amount double precision, price numeric(12,2), note text,"
                + " created_at timestamptz NOT NULL, updated_at timestamp NOT NULL, paid boolean)";
    }

    private String copyOut() {
        return "COPY (SELECT * FROM " + table + ") TO STDOUT (FORMAT binary)";
    }

    private Taken psql(String... arguments) throws IOException, InterruptedException, FailedException {
        List<String> words = new ArrayList<>(List.of("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1"));
        words.addAll(List.of(arguments));
        return Command.silent(folder, words.toArray(String[]::new)).run();
    }

    static String source() {
        return Setting.value("PGDATABASE");
    }

    static String target() {
        return Setting.value("BENCH_TARGET_DATABASE");
    }

    /** Fails unless a table of a target holds the rows of the source, by their count, distinct keys and sums. */
    void check(String url, String copy) throws FailedException {
        compare(url, copy, SUMS);
    }

    /** The same by count, distinct keys and the sum of keys alone. */
    void checkRows(String url, String copy) throws FailedException {
        compare(url, copy, ROWS);
    }

    private void compare(String url, String copy, String query) throws FailedException {
        String expected = row(postgres(source()), query + table);
        String found = row(url, query + copy);
        if (!expected.equals(found)) {
            throw new FailedException("wrong rows in " + copy + ": the source has " + expected + ", it has " + found);
        }
    }

    /** The address of a database of the source's server. */
    static String postgres(String database) {
        return "jdbc:postgresql://" + Setting.value("PGHOST") + ":" + Setting.value("PGPORT") + "/" + database;
    }

    static String duckdb(Path file) {
        return "jdbc:duckdb:" + file;
    }

    /** The one row of a query, its values joined. */
    static String row(String url, String query) throws FailedException {
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            result.next();
            List<String> values = new ArrayList<>();
            for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                values.add(result.getString(i));
            }
            return String.join("|", values);
        } catch (SQLException e) {
            throw new FailedException(url + ": " + e.getMessage());
        }
    }

    static Connection connect(String url) throws SQLException {
        return url.startsWith("jdbc:postgresql:")
                ? DriverManager.getConnection(url, Setting.value("PGUSER"), Setting.value("PGPASSWORD"))
                : DriverManager.getConnection(url);
    }
}
