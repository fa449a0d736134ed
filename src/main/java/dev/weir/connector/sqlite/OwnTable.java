package dev.weir.connector.sqlite;

import dev.weir.connector.jdbc.Instants;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** What the tables have in common that weir keeps for itself in a file. */
final class OwnTable {

    /** Spelled like every other TIMESTAMPTZ of a sink. */
    static final Instants INSTANTS = new Instants() {
        @Override
        public Object written(Instant instant) {
            return TimeText.timestamp(instant.getEpochSecond(), instant.getNano() / 1_000, 6) + "Z";
        }

        @Override
        public Instant read(ResultSet result, int column) throws SQLException {
            long micros =
                    TimeText.of(result.getString(column), "TIMESTAMPTZ", true).micros();
            return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
        }
    };

    private OwnTable() {}

    /** The table in SQL. */
    static String sql(String name) {
        return "main." + name;
    }

    static boolean exists(Connection connection, String name) throws SQLException {
        return Session.number(
                        connection,
                        "SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = " + Sql.literal(name))
                > 0;
    }
}
