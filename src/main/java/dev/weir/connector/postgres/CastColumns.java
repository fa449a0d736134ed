package dev.weir.connector.postgres;

import dev.weir.connector.Column;
import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.jdbc.Excerpt;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.postgresql.jdbc.PgConnection;

/**
 * Columns that come to the server as text and are cast by it, since it alone knows their types.
 *
 * <p>A cast may round, cut or pad without a word, so each value must read as the text it was made of, letter by letter.
 *
 * @param target the table the rows are for
 * @param produced the columns of the rows
 */
record CastColumns(Target target, List<Column> produced) {

    private static final String SAVEPOINT = "weir_cast";

    private boolean isCast(Column column) {
        return SinkTypes.isCast(typeOf(column), DuckType.named(column.type()));
    }

    private PgType typeOf(Column column) {
        return target.column(column.name()).orElseThrow().type();
    }

    private Stream<Column> cast() {
        return produced.stream().filter(this::isCast);
    }

    /** Whether the rows can go straight into the table. */
    boolean isEmpty() {
        return cast().findAny().isEmpty();
    }

    /** The types by column that the rows have before anything is cast. */
    Map<String, PgType> typesBefore() {
        Map<String, PgType> types = new LinkedHashMap<>();
        for (Column column : produced) {
            types.put(
                    column.name(),
                    isCast(column) ? SinkTypes.beforeCast(DuckType.named(column.type())) : typeOf(column));
        }
        return types;
    }

    /** What a TEMP table for the rows selects of the target, to get its columns. */
    String shape() {
        return produced.stream()
                .map(column -> isCast(column)
                        ? "CAST(" + Sql.quote(column.name()) + " AS " + before(column) + ") AS "
                                + Sql.quote(column.name())
                        : Sql.quote(column.name()))
                .collect(Collectors.joining(", "));
    }

    private static String before(Column column) {
        return SinkTypes.beforeCast(DuckType.named(column.type())).written();
    }

    private String after(Column column) {
        return "CAST(" + Sql.quote(column.name()) + " AS " + typeOf(column).written() + ")";
    }

    /** The rows of that TEMP table as they are for the target, with their {@code ctid}; an alias must follow. */
    String castFrom(String temp) {
        if (isEmpty()) {
            return temp;
        }
        String list = produced.stream()
                .map(column ->
                        isCast(column) ? after(column) + " AS " + Sql.quote(column.name()) : Sql.quote(column.name()))
                .collect(Collectors.joining(", "));
        return "(SELECT ctid, " + list + " FROM " + temp + ")";
    }

    /**
     * Looks whether every text becomes a value that reads the same.
     *
     * @param named the columns whose values name a row
     * @throws RunException {@code WR0524} naming the row that does not
     */
    void check(Session session, String place, String temp, List<String> named) {
        cast().forEach(column -> session.run(place, connection -> {
            new Look(session, connection, place, temp, column, named).check();
            return true;
        }));
    }

    /** A look at one column. */
    private final class Look {

        private final Session session;
        private final PgConnection connection;
        private final String place;
        private final String temp;
        private final Column column;
        private final List<String> named;
        private final String quoted;
        private final String again;

        Look(Session session, PgConnection connection, String place, String temp, Column column, List<String> named) {
            this.session = session;
            this.connection = connection;
            this.place = place;
            this.temp = temp;
            this.column = column;
            this.named = named;
            this.quoted = Sql.quote(column.name());
            this.again = "CAST(" + after(column) + " AS " + before(column) + ")";
        }

        void check() throws SQLException {
            Optional<SQLException> refused = attempt(
                    "SELECT count(*) FROM " + temp + " WHERE " + quoted + " IS NOT NULL AND " + again + " IS NULL");
            if (refused.isPresent()) {
                throw found(
                        rowAt(firstRefused()),
                        "is no value of " + typeOf(column).written() + ": "
                                + session.failures().said(refused.get()));
            }
            String differs = again + " COLLATE \"C\" IS DISTINCT FROM " + quoted + " COLLATE \"C\"";
            Optional<List<String>> row = row("SELECT " + shown() + ", CAST(" + again + " AS text) FROM " + temp
                    + " WHERE " + quoted + " IS NOT NULL AND " + differs + " LIMIT 1");
            if (row.isPresent()) {
                String reads = row.get().get(named.size() + 1);
                throw found(
                        row.get(),
                        "reads '" + Excerpt.of(reads) + "' as " + typeOf(column).written());
            }
        }

        /** Halves the rows until one is left that the cast refuses: the server does not say which it was. */
        private long firstRefused() throws SQLException {
            long from = 0;
            long to = Session.number(connection, "SELECT count(*) FROM " + temp + " WHERE " + quoted + " IS NOT NULL");
            while (to - from > 1) {
                long middle = from + (to - from) / 2;
                boolean before = attempt(
                                "SELECT count(" + again + ") FROM (" + values(quoted, from, middle - from) + ") s")
                        .isPresent();
                if (before) {
                    to = middle;
                } else {
                    from = middle;
                }
            }
            return from;
        }

        private String values(String list, long offset, long limit) {
            return "SELECT " + list + " FROM " + temp + " WHERE " + quoted + " IS NOT NULL ORDER BY ctid OFFSET "
                    + offset + " LIMIT " + limit;
        }

        private List<String> rowAt(long offset) throws SQLException {
            return row(values(shown(), offset, 1)).orElseThrow();
        }

        /** The keys and the value, as text. */
        private String shown() {
            return Stream.concat(named.stream(), Stream.of(column.name()))
                    .map(name -> "CAST(" + Sql.quote(name) + " AS text)")
                    .collect(Collectors.joining(", "));
        }

        /** Tries a query, and leaves the transaction as it was when the server refuses a value. */
        private Optional<SQLException> attempt(String sql) throws SQLException {
            Session.execute(connection, "SAVEPOINT " + SAVEPOINT);
            try {
                Session.number(connection, sql);
                Session.execute(connection, "RELEASE SAVEPOINT " + SAVEPOINT);
                return Optional.empty();
            } catch (SQLException e) {
                if (!Failures.isCleanAnswer(e) || Failures.isPassing(e)) {
                    throw e;
                }
                Session.execute(connection, "ROLLBACK TO SAVEPOINT " + SAVEPOINT);
                return Optional.of(e);
            }
        }

        private Optional<List<String>> row(String sql) throws SQLException {
            try (Statement statement = connection.createStatement();
                    ResultSet result = statement.executeQuery(sql)) {
                if (!result.next()) {
                    return Optional.empty();
                }
                List<String> row = new java.util.ArrayList<>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    row.add(String.valueOf(result.getString(i)));
                }
                return Optional.of(row);
            }
        }

        private RunException found(List<String> row, String what) {
            StringBuilder which = new StringBuilder(named.isEmpty() ? "a row" : "the row with ");
            for (int i = 0; i < named.size(); i++) {
                which.append(i == 0 ? "" : ", ")
                        .append(named.get(i))
                        .append(" = ")
                        .append(Excerpt.of(row.get(i)));
            }
            return new RunException(
                    Code.UNREPRESENTABLE,
                    place,
                    "in " + which + ", column " + column.name() + " holds '" + Excerpt.of(row.get(named.size()))
                            + "', which " + what,
                    "mend the value in the pipeline, or make the column text");
        }
    }
}
