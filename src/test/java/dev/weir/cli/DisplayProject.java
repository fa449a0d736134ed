package dev.weir.cli;

import dev.weir.testing.WeirProject;
import java.nio.file.Path;

/** A project that moves rows 1 to n from one DuckDB file to another. */
final class DisplayProject {

    private DisplayProject() {}

    static void of(Path folder, int rows, int window) {
        WeirProject project = new WeirProject(folder)
                .file("connections.yml", """
                        shop:
                          connector: duckdb
                          path: shop.duckdb
                          entities:
                            orders:
                              read:
                                sync: { mode: incremental, cursor: id, max_window: %d, initial: 0, until: %d }
                        lake:
                          connector: duckdb
                          path: lake.duckdb
                        """.formatted(window, rows))
                .file("pipelines/orders.sql", """
                        INSERT INTO {{ sink('lake', 'orders', strategy: 'merge', keys: ['id']) }}
                        SELECT * FROM {{ source('shop', 'orders') }}
                        """);
        project.duck("shop.duckdb", "CREATE TABLE orders AS SELECT i AS id FROM range(1, " + (rows + 1) + ") t(i)");
    }
}
