import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.BitSet;
import java.util.List;
import java.util.StringJoiner;

/** What the kill loop does with its databases itself, without weir: SQL from a file, and figures of a table. */
final class Tables {

    private static final int ROWS_AT_ONCE = 20_000;

    private Tables() {}

    /**
     * {@code execute URL SQL}, {@code script URL FILE ROWS}, {@code figures URL TABLE...}, {@code marks URL LEDGER},
     * {@code chunks URL LEDGER} or {@code remembered URL}.
     */
    public static void main(String[] arguments) throws Exception {
        try (Connection connection = connect(arguments[1])) {
            switch (arguments[0]) {
                case "execute" -> execute(connection, arguments[2]);
                case "script" -> script(connection, Files.readString(Path.of(arguments[2])), arguments[3]);
                case "figures" -> {
                    for (String table : List.of(arguments).subList(2, arguments.length)) {
                        System.out.println(figures(connection, table));
                    }
                }
                case "marks" ->
                    print(
                            connection,
                            "SELECT pipeline, value, rows_delivered FROM " + arguments[2]
                                    + " ORDER BY pipeline, generation");
                case "chunks" ->
                    print(
                            connection,
                            "SELECT pipeline, count(*), count(DISTINCT chunk_id), sum(records_loaded) FROM "
                                    + arguments[2] + " GROUP BY pipeline ORDER BY pipeline");
                case "remembered" ->
                    print(
                            connection,
                            "SELECT pipeline, status, count(*), sum(records_loaded) FROM backfills JOIN backfill_chunks"
                                    + " USING (project, backfill_id) GROUP BY pipeline, status ORDER BY pipeline, status");
                default -> throw new IllegalArgumentException(arguments[0]);
            }
        }
    }

    private static Connection connect(String url) throws SQLException {
        boolean postgres = url.startsWith("jdbc:postgresql:");
        return postgres
                ? DriverManager.getConnection(url, System.getenv("PGUSER"), System.getenv("PGPASSWORD"))
                : DriverManager.getConnection(url);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void script(Connection connection, String sql, String rows) throws SQLException {
        for (String statement : sql.replaceAll("(?m)^--.*$", "").replace(":rows", rows).split(";")) {
            if (!statement.isBlank()) {
                execute(connection, statement);
            }
        }
    }

    /** The same for two tables exactly if they hold the same rows, each as often, whatever their order. */
    private static String figures(Connection connection, String table) throws SQLException {
        long rows = 0;
        long customers = 0;
        BigDecimal totals = BigDecimal.ZERO;
        long hash = 0;
        BitSet keys = new BitSet();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(ROWS_AT_ONCE);
            try (ResultSet row = statement.executeQuery("SELECT id, customer, state, total, weight, remark, placed,"
                    + " changed, paid FROM " + table)) {
                while (row.next()) {
                    rows++;
                    keys.set(Math.toIntExact(row.getLong(1)));
                    customers += row.getLong(2);
                    totals = totals.add(row.getBigDecimal(4));
                    hash += hash(row);
                }
            }
        }
        return "rows " + rows + ", keys " + keys.cardinality() + ", customers " + customers + ", totals " + totals
                + ", hash " + Long.toHexString(hash);
    }

    private static long hash(ResultSet row) throws SQLException {
        long hash = mix(0, row.getLong(1));
        hash = mix(hash, row.getLong(2));
        hash = mix(hash, row.getString(3));
        hash = mix(hash, row.getBigDecimal(4).setScale(2).toString());
        hash = mix(hash, Double.doubleToLongBits(row.getDouble(5)));
        hash = mix(hash, row.getString(6));
        hash = mix(hash, micros(row.getObject(7, OffsetDateTime.class)));
        hash = mix(hash, micros(row.getObject(8, LocalDateTime.class).atOffset(ZoneOffset.UTC)));
        return mix(hash, row.getBoolean(9) ? 1 : 0);
    }

    private static long micros(OffsetDateTime time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time.toInstant());
    }

    private static long mix(long hash, String text) {
        if (text == null) {
            return mix(hash, -1);
        }
        long mixed = mix(hash, text.length());
        for (int i = 0; i < text.length(); i++) {
            mixed = mixed * 31 + text.charAt(i);
        }
        return mix(mixed, 0);
    }

    /** The last steps of SplitMix64. */
    private static long mix(long hash, long value) {
        long mixed = hash * 0x9E3779B97F4A7C15L + value;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    /** A line for each row. */
    private static void print(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            int columns = row.getMetaData().getColumnCount();
            while (row.next()) {
                StringJoiner line = new StringJoiner(" ");
                for (int i = 1; i <= columns; i++) {
                    line.add(row.getString(i));
                }
                System.out.println(line);
            }
        }
    }
}
