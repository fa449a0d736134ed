package dev.weir.connector.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** How a system keeps an instant of whole microseconds, exactly. */
public interface Instants {

    /** In a {@code timestamptz} of its own. */
    Instants TIMESTAMPTZ = new Instants() {
        @Override
        public Object written(Instant instant) {
            return instant.atOffset(ZoneOffset.UTC);
        }

        @Override
        public Instant read(ResultSet result, int column) throws SQLException {
            return result.getObject(column, OffsetDateTime.class).toInstant();
        }
    };

    /** What is bound for it in a statement. */
    Object written(Instant instant);

    /** @throws Unrepresentable when what is kept is no instant */
    Instant read(ResultSet result, int column) throws SQLException;
}
