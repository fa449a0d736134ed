package dev.weir.connector.postgres;

import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.RunException;
import java.io.IOException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Tells what the server or the driver complained about, and what to do.
 *
 * <p>Lost connections, time-outs of every kind, deadlocks, serialization failures, replica conflicts, a table that two make
 * at once, shutdowns and a server with all its connections taken are passing; everything else is lasting. Source of the states: PostgreSQL manual,
 * appendix "Error Codes"; of the rule: contract, section 7.
 */
final class Failures {

    /** Beside those of a server that is not there: what a later attempt may not meet. */
    private static final Set<String> PASSING =
            Set.of("25P03", "25P04", "40001", "40003", "40P01", "42P07", "55P03", "57014", "57P05", "72000");

    /** A login that was refused: class 08, but a later attempt meets it again. */
    private static final String REFUSED = "08004";

    /** A server that stops, starts, or has no room. */
    private static final Set<String> AWAY = Set.of("57P01", "57P02", "57P03", "53300");

    static final String EQUAL_KEYS = "two rows are equal by the keys as Postgres compares them";

    static final String ONE_ROW_A_KEY = "make them one in the pipeline; citext, char(n), a collation, numbers and"
            + " intervals are equal that are not spelled alike";

    private final Address address;
    private final Code code;

    Failures(Address address, Code code) {
        this.address = address;
        this.code = code;
    }

    String user() {
        return address.user();
    }

    /** @param place {@code connection.entity} */
    RunException of(String place, SQLException failure) {
        return of(place, failure, "");
    }

    /**
     * @param place {@code connection.entity}
     * @param where what comes before the server's words
     */
    RunException of(String place, SQLException failure, String where) {
        Fault fault = new Fault(codeOf(failure), place, where + said(failure), remedy(failure));
        if (isUnreachable(failure)) {
            return RunException.unreachable(fault, failure);
        }
        return isPassing(failure) ? RunException.passing(fault, failure) : RunException.lasting(fault, failure);
    }

    /** A failure of our own finding. */
    RunException of(String place, String what, String remedy) {
        return new RunException(code, place, what, remedy);
    }

    RunException cancelled(String place, @Nullable Throwable cause) {
        Fault fault = new Fault(code, place, "cancelled", "run it again to go on from the stored positions");
        return cause == null ? new RunException(fault) : RunException.lasting(fault, cause);
    }

    /** Whether the server is not there, or lets nobody in just now: whatever is asked of it meets that. */
    private static boolean isUnreachable(SQLException failure) {
        String state = state(failure);
        if (state.equals(REFUSED)) {
            return false;
        }
        // 08P01 too: PgBouncer tells most of its troubles under it.
        return state.startsWith("08") || AWAY.contains(state) || failure.getCause() instanceof IOException;
    }

    static boolean isPassing(SQLException failure) {
        return isUnreachable(failure) || PASSING.contains(state(failure)) || isMadeByTwo(failure);
    }

    /** Two create one table at once: the later one meets the catalog's own unique index, where 42P07 might be expected. */
    private static boolean isMadeByTwo(SQLException failure) {
        ServerErrorMessage message = serverMessage(failure);
        return message != null && state(failure).equals("23505") && "pg_catalog".equals(message.getSchema());
    }

    /** Whether the server answered and is still there, so that what it refused did not happen. */
    static boolean isCleanAnswer(SQLException failure) {
        ServerErrorMessage message = serverMessage(failure);
        String state = state(failure);
        return message != null
                && "ERROR".equals(message.getSeverity())
                && !state.startsWith("08")
                && !state.startsWith("57");
    }

    private Code codeOf(SQLException failure) {
        boolean value = state(failure).startsWith("22");
        return value && code == Code.SINK ? Code.UNREPRESENTABLE : code;
    }

    /** What the server or the driver says of a failure, in one line. */
    String said(SQLException failure) {
        String state = state(failure);
        if (failure.getCause() instanceof UnknownHostException) {
            return "the host of " + address + " is not known";
        }
        ServerErrorMessage message = serverMessage(failure);
        if (message == null) {
            String text = String.valueOf(failure.getMessage()).strip();
            return "the connection to " + address + " failed: " + withoutFullStop(text.replace('\n', ' '));
        }
        StringBuilder said = new StringBuilder(withoutFullStop(String.valueOf(message.getMessage())));
        if (message.getDetail() != null) {
            said.append(" (").append(withoutFullStop(message.getDetail())).append(')');
        }
        return said.append(" [").append(state).append(']').toString();
    }

    private static String withoutFullStop(String text) {
        return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
    }

    private String remedy(SQLException failure) {
        String state = state(failure);
        return switch (state) {
            case "28P01", "28000", "08004" ->
                "check user and password of " + address.connection() + ", and that pg_hba.conf lets " + address.user()
                        + " in from this machine";
            case "3D000" ->
                "check database: of " + address.connection() + "; psql -l lists the databases of the server";
            case "42501" ->
                code == Code.SOURCE
                        ? "GRANT SELECT on the table (and USAGE on its schema) to " + address.user()
                        : "grant " + address.user()
                                + " what is missing: INSERT, UPDATE, DELETE and SELECT on the table, CREATE on its"
                                + " schema, TEMPORARY on the database";
            case "25006" ->
                "write to the primary: this server is a standby, or default_transaction_read_only is on for "
                        + address.user();
            case "57014" ->
                "a statement_timeout of the server or the role ended it, or somebody cancelled it: raise it for "
                        + address.user() + " (ALTER ROLE " + Sql.quote(address.user())
                        + " SET statement_timeout = '10min'), or move less at once with a smaller max_window";
            case "25P03", "25P04", "57P05" -> "a time-out of the server or the role ended it: " + raised(state);
            case "55P03" ->
                "somebody else holds a lock for longer than lock_timeout: look for who it is in pg_stat_activity, or"
                        + " raise it for " + address.user();
            case "40P01" ->
                "somebody else locks the same rows the other way round: do not write the table at the same time";
            case "40001" ->
                "somebody else is at work on the same rows; on a standby, what replay takes away: raise"
                        + " max_standby_streaming_delay, or set hot_standby_feedback";
            case "53300" ->
                "all connections of the server, the database or the role are taken: end some, raise the limit, or lower"
                        + " max_concurrency of " + address.connection();
            case "57P01", "57P02", "57P03" ->
                "the server is going down or coming up, or an administrator ended the connection: run again when it is up";
            case "53100", "53200" -> "make room on the server, then run again";
            case "3F000" -> "create the schema first: weir creates tables, not schemas";
            case "21000" -> EQUAL_KEYS + ": " + ONE_ROW_A_KEY;
            case "23505" ->
                isMadeByTwo(failure)
                        ? "somebody else created it at the same moment: run it again"
                        : "another unique constraint of the table holds such a row: merge by that constraint's columns, or remove it";
            case "23502", "23503", "23514", "23P01" ->
                "the table's own constraint refuses the row: mend the pipeline or the table";
            default -> remedyByClass(state, failure);
        };
    }

    private String raised(String state) {
        String setting =
                switch (state) {
                    case "25P03" -> "idle_in_transaction_session_timeout";
                    case "25P04" -> "transaction_timeout";
                    default -> "idle_session_timeout";
                };
        return "raise " + setting + " for " + address.user() + ", or move less at once with a smaller max_window";
    }

    private String remedyByClass(String state, SQLException failure) {
        if (isPassing(failure)) {
            // Of what the server said last, while a COPY was under way, the driver tells nothing.
            return "is the server at " + address
                    + " up and reachable from here? try again when it is; if it was, its log says why it hung up";
        }
        if (state.startsWith("22")) {
            return "mend the value in the pipeline, or widen the column";
        }
        return state.startsWith("42") ? "check the names, or the query, against the database" : "see the server's log";
    }

    static String state(SQLException failure) {
        return failure.getSQLState() == null ? "" : failure.getSQLState();
    }

    private static @Nullable ServerErrorMessage serverMessage(SQLException failure) {
        return failure instanceof PSQLException postgres ? postgres.getServerErrorMessage() : null;
    }
}
