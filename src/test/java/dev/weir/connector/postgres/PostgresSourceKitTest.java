package dev.weir.connector.postgres;

import dev.weir.connector.ConnectionSettings;
import dev.weir.connector.Connector;
import dev.weir.connector.SourceValuesKit;
import dev.weir.slicing.CursorType;
import java.util.List;
import java.util.Optional;

class PostgresSourceKitTest extends SourceValuesKit {

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

    /** Texts are cast in the query or in the pipeline; so are doubles, but to floats. */
    @Override
    protected boolean canBeDeclaredAs(String from, String to) {
        return switch (from) {
            case "VARCHAR" -> false;
            case "DOUBLE" -> to.equals("FLOAT");
            default -> true;
        };
    }

    @Override
    protected String endlessQuery() {
        return "SELECT 1::bigint AS n FROM pg_sleep(600)";
    }

    @Override
    protected boolean hasInfinity(String duckType) {
        return CursorType.named(duckType).orElseThrow().isTime();
    }
}
