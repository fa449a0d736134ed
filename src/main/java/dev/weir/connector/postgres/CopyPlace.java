package dev.weir.connector.postgres;

import java.sql.SQLException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Where in a COPY the server met what it refuses, as it tells in the context of its error: {@code COPY t, line 3, column
 * a}. Told in the server's language, so the row is the first number after the table's name.
 *
 * @param row which one, from 1
 * @param column the column's name; empty: the server does not tell
 */
record CopyPlace(long row, Optional<String> column) {

    private static final Pattern CONTEXT = Pattern.compile("(?m)^COPY .+?, \\p{L}+ (\\d+)(?:, \\p{L}+ (.+))?$");

    static Optional<CopyPlace> of(SQLException failure) {
        ServerErrorMessage message =
                failure instanceof PSQLException postgres ? postgres.getServerErrorMessage() : null;
        if (message == null || message.getWhere() == null) {
            return Optional.empty();
        }
        Matcher context = CONTEXT.matcher(message.getWhere());
        return context.find()
                ? Optional.of(new CopyPlace(Long.parseLong(context.group(1)), Optional.ofNullable(context.group(2))))
                : Optional.empty();
    }

    /**
     * What comes before the server's own words.
     *
     * @param keys the row's keys and their values; empty: it has none
     */
    String told(String keys) {
        return "in " + (keys.isEmpty() ? "row " + row + " of those written" : "the row with " + keys)
                + column.map(name -> ", column " + name).orElse("") + ": ";
    }
}
