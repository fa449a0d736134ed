package dev.weir.connector.postgres;

import dev.weir.connector.ConnectionSettings;
import dev.weir.connector.Connector;
import dev.weir.connector.LedgerKit;
import java.util.List;
import java.util.Optional;

class PostgresSinkKitTest extends LedgerKit {

    private final PostgresSystem system = new PostgresSystem();

    @Override
    protected Connector connector() {
        return new PostgresConnector();
    }

    @Override
    protected ConnectionSettings settings() {
        return system.settings();
    }

    @Override
    protected void execute(String sql) {
        system.execute(sql);
    }

    @Override
    protected List<String> query(String sql) {
        return system.query(sql);
    }

    @Override
    protected Optional<String> typeName(String duckType) {
        return PostgresSystem.typeName(duckType);
    }

    @Override
    protected String value(String duckType, String text) {
        return PostgresSystem.value(duckType, text);
    }
}
