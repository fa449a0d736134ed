package dev.weir.cli;

import dev.weir.connector.Connector;
import dev.weir.connector.TypeMapping;
import dev.weir.connector.duckdb.DuckDbConnector;
import dev.weir.connector.postgres.PostgresConnector;
import dev.weir.connector.sqlite.SqliteConnector;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every system this version reads and writes. */
final class Connectors {

    private Connectors() {}

    static Map<String, Connector> all(Clock clock) {
        Map<String, Connector> connectors = new LinkedHashMap<>();
        for (Connector connector :
                List.of(new PostgresConnector(), new DuckDbConnector(clock), new SqliteConnector(clock))) {
            connectors.put(connector.name(), connector);
        }
        return connectors;
    }

    /** Weir's own types, one of each family: they are DuckDB's. */
    static List<String> weirTypes(Clock clock) {
        return new DuckDbConnector(clock)
                .types().stream().map(TypeMapping::systemType).toList();
    }
}
