package dev.weir.engine;

import dev.weir.connector.OutOfRoom;
import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.RunException;
import java.sql.SQLException;
import java.util.Optional;

/** What DuckDB's errors mean. DuckDB tells their kind only in the first words of the message. */
final class DuckErrors {

    private DuckErrors() {}

    static String message(SQLException e) {
        return SqlError.of(e).message();
    }

    /** The failure of SQL a user wrote. */
    static RunException ofPipeline(String place, SQLException e) {
        return ofPipeline(place, message(e), e);
    }

    /** @param message what it said */
    static RunException ofPipeline(String place, String message, SQLException e) {
        if (isInterrupt(message)) {
            return cancelled(place, e);
        }
        Optional<Fault> outOfRoom = OutOfRoom.fault(Code.SQL, place, message);
        if (outOfRoom.isPresent()) {
            return RunException.lasting(outOfRoom.get(), e);
        }
        return RunException.lasting(
                new Fault(
                        Code.SQL,
                        place,
                        "DuckDB cannot run the pipeline's SQL: " + message,
                        "correct the SELECT, or the rows it stumbles over; the sinks below it were not touched"),
                e);
    }

    /** The failure of a read into staging. */
    static RunException ofRead(String place, SQLException e) {
        String message = message(e);
        if (isInterrupt(message)) {
            return cancelled(place, e);
        }
        Optional<Fault> outOfRoom = OutOfRoom.fault(Code.SQL, place, message);
        if (outOfRoom.isPresent()) {
            return RunException.lasting(outOfRoom.get(), e);
        }
        if (isAboutAValue(message)) {
            return RunException.lasting(
                    new Fault(
                            Code.UNREPRESENTABLE,
                            place,
                            "a value cannot be held by the type it is read as: " + message,
                            "correct the row, or declare another type for the column under columns:"),
                    e);
        }
        return RunException.lasting(
                new Fault(
                        Code.SOURCE,
                        place,
                        "the rows could not be staged: " + message,
                        "see the message; nothing was written to any sink"),
                e);
    }

    static RunException cancelled(String place, Throwable cause) {
        return RunException.lasting(
                new Fault(Code.SQL, place, "the work was cancelled", "run again; nothing was half written"), cause);
    }

    /** A bug, unless there is no room left: then anything fails. */
    static RunException internal(String place, String what, Throwable cause) {
        Optional<Fault> outOfRoom = OutOfRoom.fault(Code.SQL, place, String.valueOf(cause.getMessage()));
        return RunException.lasting(outOfRoom.orElseGet(() -> internalFault(place, what)), cause);
    }

    static RunException internal(String place, String what) {
        return new RunException(internalFault(place, what));
    }

    private static Fault internalFault(String place, String what) {
        return new Fault(Code.INTERNAL, place, what, "this is a bug in weir: please report it with this message");
    }

    /** The driver unpacks its library into a folder for temporary files before it can say anything. */
    static RunException notLoaded(LinkageError e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return RunException.lasting(
                new Fault(
                        Code.SQL,
                        "DuckDB",
                        "its library cannot be unpacked into " + System.getProperty("java.io.tmpdir") + " and loaded: "
                                + cause.getMessage(),
                        "make room there, or name another folder: JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=DIR"),
                e);
    }

    private static boolean isInterrupt(String message) {
        return message.startsWith("INTERRUPT Error");
    }

    private static boolean isAboutAValue(String message) {
        return message.startsWith("Conversion Error")
                || message.startsWith("Out of Range Error")
                || message.startsWith("Invalid Input Error");
    }
}
