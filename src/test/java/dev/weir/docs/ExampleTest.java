package dev.weir.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The project at the root of a clone, once its connections.yml is there. */
class ExampleTest {

    @TempDir
    Path folder;

    @Test
    void copiedExampleLoadsTheTableItNames() throws IOException {
        Postgres.Database database = Postgres.fresh();
        database.execute("CREATE TABLE orders AS SELECT i AS id, 'customer ' || i AS customer"
                + " FROM generate_series(1, 25000) AS i");
        WeirProject project = new WeirProject(folder)
                .file("connections.yml", Files.readString(Path.of("connections.yml.example")))
                .file("pipelines/orders.sql", Files.readString(Path.of("pipelines/orders.sql")))
                .env("PG_PORT", Integer.toString(database.port()))
                .env("PG_DATABASE", database.name());

        WeirProject.Said said = project.run("run", "--until-caught-up");

        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(said.out()).endsWith("note: until-caught-up: 3 passes, stopped: caught up\n");
        assertThat(project.duckRows("lake.duckdb", "SELECT count(*), sum(id), max(customer) FROM orders"))
                .containsExactly("25000|312512500|customer 9999");
    }
}
