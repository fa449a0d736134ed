package dev.weir.connector.sqlite;

import dev.weir.fault.Fault;
import dev.weir.fault.RunException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * Tells what SQLite complained about, and what to do.
 *
 * <p>A lock of another process is passing, and a table that another process creates first; everything else is lasting. Source of the codes: SQLite manual, "Result and
 * Error Codes".
 */
final class Failures {

    private static final int PRIMARY = 0xff;

    /** What the driver puts before the words of a function of ours. */
    private static final String OF_FUNCTION = SQLException.class.getName() + ": ";

    private final SqliteFile file;

    Failures(SqliteFile file) {
        this.file = file;
    }

    /** @param place {@code connection.entity} */
    RunException of(String place, SQLException failure) {
        int code = primary(failure);
        Fault fault = new Fault(file.code(), place, said(code, failure), remedy(code, failure));
        if (code == SQLiteErrorCode.SQLITE_BUSY.code) {
            // Of the whole file, and it was waited for: whoever asks next waits as long.
            return RunException.unreachable(fault, failure);
        }
        boolean passing = code == SQLiteErrorCode.SQLITE_LOCKED.code
                || code == SQLiteErrorCode.SQLITE_PROTOCOL.code
                || code == SQLiteErrorCode.SQLITE_SCHEMA.code
                || isMadeByTwo(code, failure);
        return passing ? RunException.passing(fault, failure) : RunException.lasting(fault, failure);
    }

    /** Whether somebody else has created the table since it was found missing. */
    private static boolean isMadeByTwo(int code, SQLException failure) {
        String message = message(failure);
        return code == SQLiteErrorCode.SQLITE_ERROR.code
                && message.startsWith("table ")
                && message.endsWith(" already exists");
    }

    /** A failure of our own finding. */
    RunException of(String place, String what, String remedy) {
        return new RunException(file.code(), place, what, remedy);
    }

    RunException cancelled(String place, @Nullable Throwable cause) {
        Fault fault = new Fault(file.code(), place, "cancelled", "run it again to go on from the stored positions");
        return cause == null ? new RunException(fault) : RunException.lasting(fault, cause);
    }

    RunException missingFile(String place) {
        return of(
                place,
                "there is no file " + file.path(),
                "check path: of " + file.name() + "; a file is made for a sink only, never for a source");
    }

    static int primary(SQLException failure) {
        return failure instanceof SQLiteException sqlite ? sqlite.getResultCode().code & PRIMARY : -1;
    }

    /** Whether SQLite answered, so that what it refused did not happen. */
    static boolean isCleanAnswer(SQLException failure) {
        int code = primary(failure);
        return code != -1 && code != SQLiteErrorCode.SQLITE_IOERR.code && code != SQLiteErrorCode.SQLITE_NOMEM.code;
    }

    private String said(int code, SQLException failure) {
        if (code == SQLiteErrorCode.SQLITE_BUSY.code || code == SQLiteErrorCode.SQLITE_LOCKED.code) {
            return "the file " + file.path() + " is locked by another process, for more than "
                    + file.patience().toMillis() + " ms";
        }
        if (code == SQLiteErrorCode.SQLITE_NOTADB.code) {
            return file.path() + " is no SQLite database";
        }
        return "SQLite says of " + file.path() + ": " + message(failure);
    }

    /** The words of SQLite itself, which the driver puts in parentheses behind its own. */
    static String message(SQLException failure) {
        String message = String.valueOf(failure.getMessage()).strip();
        int open = message.indexOf('(');
        boolean wrapped = message.startsWith("[SQLITE_") && open > 0 && message.endsWith(")");
        String own = wrapped ? message.substring(open + 1, message.length() - 1) : message;
        return own.startsWith(OF_FUNCTION) ? own.substring(OF_FUNCTION.length()) : own;
    }

    private String remedy(int code, SQLException failure) {
        String name = failure instanceof SQLiteException sqlite
                ? sqlite.getResultCode().name()
                : "";
        if (code == SQLiteErrorCode.SQLITE_BUSY.code || code == SQLiteErrorCode.SQLITE_LOCKED.code) {
            return "find out who holds it (lsof " + file.path() + "), and run again when it is free; in WAL mode"
                    + " (PRAGMA journal_mode = wal) readers and one writer do not wait for each other";
        }
        if (name.equals("SQLITE_READONLY_ROLLBACK") || name.equals("SQLITE_READONLY_RECOVERY")) {
            return "a process died while writing it: open it once for writing, which puts it right"
                    + " (sqlite3 FILE 'SELECT 1 FROM sqlite_schema')";
        }
        if (code == SQLiteErrorCode.SQLITE_CANTOPEN.code || code == SQLiteErrorCode.SQLITE_READONLY.code) {
            return "check that this user may " + (file.written() ? "write" : "read")
                    + " the file; a file in WAL mode also needs a folder in which its -shm file can be made";
        }
        if (code == SQLiteErrorCode.SQLITE_FULL.code) {
            return "make room on the disk, then run again; nothing was half written";
        }
        if (code == SQLiteErrorCode.SQLITE_IOERR.code) {
            return "look after the disk, which may be full, broken or gone, then run again; nothing was half written";
        }
        if (code == SQLiteErrorCode.SQLITE_CONSTRAINT.code) {
            return "the table's own constraint refuses the row: mend the pipeline or the table";
        }
        if (code == SQLiteErrorCode.SQLITE_NOTADB.code) {
            return "check path: of " + file.name() + "; an encrypted file is none either";
        }
        if (code == SQLiteErrorCode.SQLITE_CORRUPT.code) {
            return "check the file with PRAGMA integrity_check, and restore it from a backup";
        }
        return code == SQLiteErrorCode.SQLITE_ERROR.code
                ? "check the names, or the query, against the file"
                : "see the message; nothing was half written";
    }
}
