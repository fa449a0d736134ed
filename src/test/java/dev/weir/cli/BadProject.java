package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.WeirProject;
import java.nio.file.Files;
import java.nio.file.Path;

/** A sound project over DuckDB files, for tests that break it; and what a refusal of it looks like. */
final class BadProject {

    static final String CONNECTIONS = """
            shop:
              connector: duckdb
              path: shop.duckdb
              entities:
                t:
                  read:
                    sync: { mode: incremental, cursor: id, max_window: 10, initial: 0, until: 100 }
            lake:
              connector: duckdb
              path: lake.duckdb
            """;
    static final String PIPELINE = """
            INSERT INTO {{ sink('lake', 't', strategy: 'merge', keys: ['id']) }}
            SELECT id, name
            FROM {{ source('shop', 't') }}
            """;

    private BadProject() {}

    static WeirProject sound(Path folder) {
        WeirProject project =
                new WeirProject(folder).file("connections.yml", CONNECTIONS).file("pipelines/copy.sql", PIPELINE);
        project.duck(
                "shop.duckdb",
                "CREATE TABLE t (id BIGINT, name VARCHAR, u UUID, d DATE, ts TIMESTAMP)",
                "INSERT INTO t SELECT i, 'n' || i, uuid(), DATE '2026-01-01', TIMESTAMP '2026-01-01' FROM range(1, 21) r(i)");
        return project;
    }

    static WeirProject.Said refused(WeirProject project, String says) {
        return refused(project, says, "run", "--all");
    }

    static WeirProject.Said refused(WeirProject project, String says, String... command) {
        WeirProject.Said said = project.run(command);
        assertThat(said.exitCode()).as(said.all()).isEqualTo(2);
        assertThat(said.out()).isEmpty();
        assertThat(said.err()).contains(says);
        assertThat(said.err().lines().findFirst().orElseThrow()).matches("WR0[123][0-9]{2} \\S.*: .+");
        BadOutput.isForPeople(said);
        assertThat(Files.exists(project.directory().resolve("lake.duckdb"))).isFalse();
        assertThat(Files.exists(project.directory().resolve(".weir/runs"))).isFalse();
        return said;
    }
}
