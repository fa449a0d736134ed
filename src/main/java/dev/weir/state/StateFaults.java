package dev.weir.state;

import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.IoReason;
import dev.weir.fault.RunException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** The messages about state that cannot be read or written, each with its way out. */
final class StateFaults {

    private static final String WAY_OUT =
            "restore a backup of it, or move state.db and any file whose name begins with state.db- out of the folder"
                    + " and run again: positions are in the sinks' marks too and are adopted from there. Lost are"
                    + " then operator edits that no pass has carried, noted refreshes, the history, and positions of"
                    + " sinks that keep no marks";
    private static final int PRIMARY = 0xff;

    private StateFaults() {}

    /** The file is there and is no state of weir, or is no longer. */
    static RunException damaged(Path file, String why) {
        return new RunException(Code.STATE, file.toString(), why, WAY_OUT);
    }

    static RunException damaged(Path file, String why, Throwable cause) {
        return RunException.lasting(new Fault(Code.STATE, file.toString(), why, WAY_OUT), cause);
    }

    static RunException refused(Path place, String why, String remedy) {
        return new RunException(Code.STATE, place.toString(), why, remedy);
    }

    /** A folder or file could not be made or reached. */
    static RunException unreachable(Path place, String doing, IOException cause) {
        String why = IoReason.of(cause);
        return RunException.lasting(
                new Fault(
                        Code.STATE,
                        place.toString(),
                        doing + " failed: " + why,
                        "weir keeps its state in .weir beside the project: give the user who runs it a folder it may"
                                + " write, on a disk with room"),
                cause);
    }

    /** A statement that only reads failed. */
    static RunException unreadable(Path file, SQLException cause) {
        if (isLibraryMissing(cause)) {
            return libraryMissing(file, cause);
        }
        return switch (primary(cause)) {
            case SQLITE_BUSY, SQLITE_LOCKED -> busy(file, cause);
            case SQLITE_NOTADB -> damaged(file, "it is no SQLite database", cause);
            case SQLITE_CORRUPT -> damaged(file, "it is damaged: " + said(cause), cause);
            case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH, SQLITE_READONLY ->
                RunException.lasting(
                        new Fault(
                                Code.STATE,
                                file.toString(),
                                "it cannot be opened: " + said(cause),
                                "let the user who runs weir read and write it, and the folder it is in"),
                        cause);
            default -> damaged(file, "it cannot be read: " + said(cause), cause);
        };
    }

    private static RunException busy(Path file, SQLException cause) {
        return RunException.passing(
                new Fault(
                        Code.STATE,
                        file.toString(),
                        "another process has kept it locked for " + Database.BUSY_TIMEOUT.toSeconds() + " seconds",
                        "find out who has it open, a backup tool or an SQLite shell perhaps, end that, and run again"),
                cause);
    }

    /**
     * A transaction that writes failed: nothing of it is stored.
     *
     * @param what what was to be written, with its verb: {@code the positions were}
     */
    static RunException notWritten(Path file, String what, SQLException cause) {
        if (isLibraryMissing(cause)) {
            return libraryMissing(file, cause);
        }
        String remedy =
                switch (primary(cause)) {
                    case SQLITE_FULL ->
                        "make room on that disk and run again: what the sinks have committed is adopted from their"
                                + " marks";
                    case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH ->
                        "let the user who runs weir write it and the folder it is in, and run again: what the sinks"
                                + " have committed is adopted from their marks";
                    case SQLITE_BUSY, SQLITE_LOCKED ->
                        "another process has it open, a backup tool or an SQLite shell perhaps: end that and run again";
                    case SQLITE_CORRUPT, SQLITE_NOTADB -> WAY_OUT;
                    default ->
                        "look after the disk and run again: what the sinks have committed is adopted from their"
                                + " marks";
                };
        return RunException.lasting(
                new Fault(Code.STATE_NOT_WRITTEN, file.toString(), what + " not written: " + said(cause), remedy),
                cause);
    }

    /** SQLite itself always answers with a code; without one its driver did not come as far as asking it. */
    private static boolean isLibraryMissing(SQLException cause) {
        return cause.getErrorCode() == 0 && !(cause instanceof SQLiteException) && cause.getCause() != null;
    }

    private static RunException libraryMissing(Path file, SQLException cause) {
        return RunException.lasting(
                new Fault(
                        Code.STATE,
                        file.toString(),
                        "SQLite's library cannot be unpacked into " + System.getProperty("java.io.tmpdir")
                                + " and loaded; the file itself was not touched",
                        "make room there, or name another folder: JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=DIR"),
                cause);
    }

    private static SQLiteErrorCode primary(SQLException cause) {
        return SQLiteErrorCode.getErrorCode(cause.getErrorCode() & PRIMARY);
    }

    /** What SQLite says, on one line. */
    private static String said(SQLException cause) {
        String message = cause.getMessage();
        return message == null
                ? "no reason given"
                : message.replaceAll("\\s+", " ").strip();
    }
}
