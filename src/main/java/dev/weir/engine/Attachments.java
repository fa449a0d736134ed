package dev.weir.engine;

import dev.weir.connector.DuckSession;
import dev.weir.connector.OutOfRoom;
import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.RunException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The DuckDB files the engine has attached, each once however often it is asked for.
 *
 * <p>DuckDB lets one process open a file, and attaches it once in that process. Never deletes a write-ahead log.
 */
final class Attachments {

    /** In bytes: what it holds waits in memory too, and is done once more after a crash. */
    private static final long LONG_LOG = 128L << 20;

    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final String HELD = "Could not set lock on file";
    private static final String STILL_IN_USE = "Unique file handle conflict";

    private final Connection connection;
    private final Statements statements;
    private final EngineSettings settings;
    private final Map<Path, Attached> files = new HashMap<>();
    private final Set<String> names =
            new HashSet<>(Set.of("memory", "system", "temp", "main", "staging", Binder.CATALOG));

    Attachments(Connection connection, Statements statements, EngineSettings settings) {
        this.connection = connection;
        this.statements = statements;
        this.settings = settings;
    }

    /** One attached file. */
    private static final class Attached {
        private final Path path;
        private final String catalog;
        private boolean written;
        private int uses;

        private Attached(Path path, String catalog, boolean written) {
            this.path = path;
            this.catalog = catalog;
            this.written = written;
        }
    }

    synchronized DuckSession.Attachment attach(Path file, boolean written, String place) {
        Path path = canonical(file, written, place);
        Attached attached = files.get(path);
        if (attached == null) {
            attached = new Attached(path, freeName(path), written);
            attachPatiently(attached, place);
            names.add(attached.catalog.toLowerCase(Locale.ROOT));
            files.put(path, attached);
        } else if (written && !attached.written) {
            attached.written = true;
            reopen(attached, place);
        }
        attached.uses++;
        return new Use(attached);
    }

    /** Detaches everything, whoever uses it. */
    synchronized void close() {
        Map.copyOf(files).values().forEach(this::detach);
    }

    private final class Use implements DuckSession.Attachment {
        private final Attached attached;
        private boolean closed;

        private Use(Attached attached) {
            this.attached = attached;
        }

        @Override
        public String catalog() {
            return attached.catalog;
        }

        @Override
        public void fold() {
            synchronized (Attachments.this) {
                if (attached.written && isLong(attached.path)) {
                    checkpoint(attached);
                }
            }
        }

        @Override
        public void close() {
            synchronized (Attachments.this) {
                if (!closed) {
                    closed = true;
                    if (--attached.uses == 0) {
                        detach(attached);
                    }
                }
            }
        }
    }

    /** Read-only so far, and now somebody writes: the name stays, so that whoever holds it sees no difference. */
    private void reopen(Attached attached, String place) {
        try {
            run("DETACH " + DuckSession.quoted(attached.catalog));
            attachPatiently(attached, place);
        } catch (SQLException e) {
            attached.written = false;
            throw refused(attached, place, e);
        } catch (RunException e) {
            files.remove(attached.path);
            throw e;
        }
    }

    private void attachPatiently(Attached attached, String place) {
        if (attached.written && !Files.exists(attached.path)) {
            create(attached, place);
        }
        Duration waited = Duration.ZERO;
        while (true) {
            try {
                run("ATTACH " + DuckSession.literal(attached.path.toString()) + " AS "
                        + DuckSession.quoted(attached.catalog) + " (TYPE duckdb"
                        + (attached.written ? ")" : ", READ_ONLY)"));
                return;
            } catch (SQLException e) {
                String message = DuckErrors.message(e);
                boolean mayPass = message.contains(HELD) || message.contains(STILL_IN_USE);
                if (!mayPass || statements.isCancelled() || waited.compareTo(settings.patience()) >= 0) {
                    throw refused(attached, place, e);
                }
                pause(place, e);
                waited = waited.plus(PAUSE);
            }
        }
    }

    private void create(Attached attached, String place) {
        String catalog = DuckSession.quoted(attached.catalog);
        try (NewFile file = new NewFile(attached.path)) {
            run("ATTACH " + DuckSession.literal(file.draft().toString()) + " AS " + catalog + " (TYPE duckdb)");
            run("DETACH " + catalog);
            file.publish();
        } catch (SQLException e) {
            throw refused(attached, place, e);
        } catch (IOException e) {
            throw refused(attached, place, new SQLException(e.getMessage(), e));
        }
    }

    private void pause(String place, SQLException e) {
        try {
            settings.pause().pause(PAUSE);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw DuckErrors.cancelled(place, e);
        }
    }

    private void detach(Attached attached) {
        files.remove(attached.path);
        names.remove(attached.catalog.toLowerCase(Locale.ROOT));
        String catalog = DuckSession.quoted(attached.catalog);
        if (attached.written) {
            checkpoint(attached);
        }
        attempt("DETACH " + catalog);
    }

    private static boolean isLong(Path file) {
        try {
            return Files.size(file.resolveSibling(file.getFileName() + ".wal")) >= LONG_LOG;
        } catch (IOException e) {
            // There is none.
            return false;
        }
    }

    /** By as many threads as are of use, since rows are compressed meanwhile, and nothing else can be done with the file. */
    private void checkpoint(Attached attached) {
        attempt("SET GLOBAL threads = " + settings.foldingThreads());
        attempt("CHECKPOINT " + DuckSession.quoted(attached.catalog));
        attempt("SET GLOBAL threads = " + settings.usualThreads());
    }

    /** What fails here is made good by whoever opens the file next: the write-ahead log holds it. */
    private void attempt(String sql) {
        try {
            run(sql);
        } catch (SQLException e) {
            return;
        }
    }

    private void run(String sql) throws SQLException {
        // Not counted among the statements that a cancel ends: detaching must work after it.
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private String freeName(Path path) {
        String file = path.getFileName().toString();
        int dot = file.lastIndexOf('.');
        String stem = dot > 0 ? file.substring(0, dot) : file;
        String name = stem;
        for (int i = 2; names.contains(name.toLowerCase(Locale.ROOT)); i++) {
            name = stem + "_" + i;
        }
        return name;
    }

    private static Path canonical(Path file, boolean written, String place) {
        try {
            if (Files.exists(file)) {
                return file.toRealPath();
            }
            Path parent = file.toAbsolutePath().normalize().getParent();
            if (written && parent != null && Files.isDirectory(parent)) {
                return parent.toRealPath().resolve(file.getFileName());
            }
        } catch (IOException e) {
            throw RunException.lasting(
                    new Fault(code(written), place, file + " cannot be opened: " + e.getMessage(), "see path:"), e);
        }
        throw new RunException(
                code(written),
                place,
                written ? "the folder of " + file + " does not exist" : "there is no file " + file,
                written ? "create the folder, or correct path:" : "correct path: in connections.yml");
    }

    private static RunException refused(Attached attached, String place, SQLException e) {
        String message = DuckErrors.message(e);
        Path path = attached.path;
        if (message.contains(HELD)) {
            return RunException.lasting(
                    new Fault(
                            Code.HELD_ELSEWHERE,
                            place,
                            path + " is open in " + holder(message) + ", and DuckDB lets one process at a time open it",
                            "wait until that process has ended or closed the file, then run again"),
                    e);
        }
        if (message.contains(STILL_IN_USE)) {
            return RunException.lasting(
                    new Fault(
                            Code.HELD_ELSEWHERE,
                            place,
                            path + " is being read by this run and cannot be opened for writing meanwhile",
                            "run the pipelines that write to the file first, or on their own"),
                    e);
        }
        Code code = code(attached.written);
        Optional<Fault> outOfRoom = OutOfRoom.fault(code, place, message);
        if (outOfRoom.isPresent()) {
            return RunException.lasting(outOfRoom.get(), e);
        }
        if (Files.isDirectory(path)) {
            return RunException.lasting(
                    new Fault(
                            code, place, path + " is a folder, not a DuckDB file", "correct path: in connections.yml"),
                    e);
        }
        if (message.contains("not a valid DuckDB database file")) {
            return RunException.lasting(
                    new Fault(
                            code,
                            place,
                            path + " is no DuckDB database",
                            "correct path: in connections.yml, or move that file away; weir changes nothing in it"),
                    e);
        }
        return RunException.lasting(
                new Fault(
                        code,
                        place,
                        path + " cannot be opened: " + message,
                        "check the file's permissions, and that this version of DuckDB can read it"),
                e);
    }

    /** DuckDB's words for the holder: {@code /usr/bin/java (PID 7920)}. */
    private static String holder(String message) {
        String marker = "Conflicting lock is held in ";
        int from = message.indexOf(marker);
        if (from < 0) {
            return "another process";
        }
        String rest = message.substring(from + marker.length());
        int end = rest.indexOf(')');
        return "another process, " + (end < 0 ? rest : rest.substring(0, end + 1));
    }

    private static Code code(boolean written) {
        return written ? Code.SINK : Code.SOURCE;
    }
}
