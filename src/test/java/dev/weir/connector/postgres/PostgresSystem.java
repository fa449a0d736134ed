package dev.weir.connector.postgres;

import dev.weir.connector.ConnectionSettings;
import dev.weir.testing.Postgres;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The system behind the kits: a database of its own, and how Postgres spells DuckDB's types and values. */
final class PostgresSystem {

    private static final Pattern BYTE = Pattern.compile("\\\\x([0-9A-F]{2})|(.)", Pattern.DOTALL);

    private final Postgres.Database database = Postgres.fresh();

    /** A connection named {@code sys}, as the kits ask for. */
    ConnectionSettings settings() {
        ConnectionSettings named = database.settings();
        return new ConnectionSettings("sys", named.options(), named.projectDir(), true);
    }

    void execute(String sql) {
        database.execute(sql);
    }

    List<String> query(String sql) {
        return database.rows(sql);
    }

    static Optional<String> typeName(String duckType) {
        if (duckType.startsWith("DECIMAL(")) {
            return Optional.of(duckType.replace("DECIMAL", "numeric"));
        }
        return switch (duckType) {
            case "BOOLEAN",
                    "SMALLINT",
                    "INTEGER",
                    "BIGINT",
                    "DATE",
                    "TIME",
                    "TIMESTAMP",
                    "TIMESTAMP WITH TIME ZONE",
                    "UUID" -> Optional.of(duckType);
            case "UINTEGER" -> Optional.of("oid");
            case "FLOAT" -> Optional.of("real");
            case "DOUBLE" -> Optional.of("double precision");
            case "VARCHAR" -> Optional.of("text");
            case "BLOB" -> Optional.of("bytea");
            default -> Optional.empty();
        };
    }

    static String value(String duckType, String text) {
        String written =
                switch (duckType) {
                    case "BLOB" -> hex(text);
                    case "DATE", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE" ->
                        text.replaceAll("(.*) \\(BC\\)(.*)", "$1$2 BC");
                    default -> text.replace("'", "''");
                };
        return "CAST('" + written + "' AS " + typeName(duckType).orElseThrow() + ")";
    }

    /** DuckDB prints bytes beyond ASCII as {@code \xFF}; Postgres takes them all as hex digits. */
    private static String hex(String printed) {
        StringBuilder hex = new StringBuilder("\\x");
        Matcher bytes = BYTE.matcher(printed);
        while (bytes.find()) {
            hex.append(
                    bytes.group(1) != null
                            ? bytes.group(1)
                            : HexFormat.of().formatHex(bytes.group(2).getBytes(StandardCharsets.US_ASCII)));
        }
        return hex.toString();
    }
}
