package dev.weir.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The third reference document: its project, word for word, on 50,000 orders in a live Postgres. */
final class ReferenceDocument implements AutoCloseable {

    private static final Path TEXT = Path.of("..", "shared", "reference", "002_d86675ad658b6f3a.txt");
    private static final String ADDRESS = "127.83.7.2";
    private static final int PRINTED_PORT = 5432;
    /** The one thing the document takes for granted. */
    private static final String LAKE = """
            lake:
              connector: duckdb
              path: lake.duckdb
            """;

    private final String text;
    private final Postgres.Database database;
    private final Forwarder forwarder;
    private final WeirProject project;

    private ReferenceDocument(String text, Postgres.Database database, Forwarder forwarder, Path folder) {
        this.text = text;
        this.database = database;
        this.forwarder = forwarder;
        this.project = new WeirProject(folder)
                .env("PG_PROD_HOST", ADDRESS)
                .env("PG_PROD_USER", "postgres")
                .env("PG_PROD_PASSWORD", "not asked for")
                .file("connections.yml", connections() + LAKE)
                .file("pipelines/orders_out.sql", pipeline());
    }

    /** Skips the test where the document, or the address it needs, is not there. */
    static ReferenceDocument open(Path folder) {
        assumeThat(TEXT)
                .as("the reference document is not there: ../shared/reference")
                .exists();
        Postgres.Database admin = Postgres.database("postgres");
        admin.execute("DROP DATABASE IF EXISTS prod WITH (FORCE)", "CREATE DATABASE prod");
        Postgres.Database database = Postgres.database("prod");
        database.execute(
                "CREATE TABLE orders (id bigint PRIMARY KEY, customer_id bigint, amount double precision)",
                "INSERT INTO orders SELECT i, i % 1000, i / 4.0 FROM generate_series(1, 50000) AS i");
        try {
            Forwarder forwarder = Forwarder.to(database.port(), ADDRESS, PRINTED_PORT);
            return new ReferenceDocument(Files.readString(TEXT), database, forwarder, folder);
        } catch (IOException e) {
            assumeThat(e)
                    .as("%s:%d cannot be listened at", ADDRESS, PRINTED_PORT)
                    .isNull();
            throw new UncheckedIOException(e);
        }
    }

    Postgres.Database database() {
        return database;
    }

    WeirProject project() {
        return project;
    }

    String connections() {
        return between("connections.yml\n\n", "\nKey\tMeaning");
    }

    private String pipeline() {
        return between("pipelines/orders_out.sql\n\n", "\nIncremental plus merge");
    }

    /** The sync block of its part about keeping a source current. */
    String currentSync() {
        return between("until: now on a date or timestamp cursor:\n\n", "\nnow is the time");
    }

    /** Its text between two marks. */
    private String between(String from, String to) {
        int start = text.indexOf(from);
        int end = text.indexOf(to, start);
        assertThat(start).as(from).isNotNegative();
        assertThat(end).as(to).isNotNegative();
        return text.substring(start + from.length(), end).strip() + "\n";
    }

    /** A command as it is printed, {@code pz} read as {@code weir}. */
    WeirProject.Said run(String printed) {
        assertThat(text).contains(printed);
        return weir(printed.substring("pz ".length()));
    }

    WeirProject.Said weir(String words) {
        return project.run(words.split(" "));
    }

    /** Changes connections.yml in one place. */
    void edit(String from, String to) {
        try {
            String now = Files.readString(project.directory().resolve("connections.yml"));
            assertThat(now).contains(from);
            project.file("connections.yml", now.replace(from, to));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Number, sum and highest id of what is in the sink. */
    String loaded() {
        return project.duckRows("lake.duckdb", "SELECT count(*), sum(id), max(id) FROM orders_synced")
                .get(0);
    }

    /** What the watermark is, as {@code state show} prints it. */
    String watermark() {
        List<String> lines =
                weir("state show pg_prod.orders").out().lines().limit(2).toList();
        return lines.get(1).strip().split("\\s+")[1];
    }

    @Override
    public void close() throws IOException {
        forwarder.close();
    }
}
