package dev.weir.state;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * state.db as a file: made whole or not at all, and checked before it is believed.
 *
 * <p>SQLite takes a file of zero bytes for an empty database. Weir never makes one: a new file gets its name only when
 * its tables are on the disk, so an empty file is a damaged one.
 */
final class StateFile {

    private static final String NAME = "state.db";

    private StateFile() {}

    /** Tells a folder's file system; injected so that a test needs no network. */
    interface FileSystemType {
        String of(Path folder) throws IOException;
    }

    static Path in(Path weirDir) {
        return weirDir.resolve(NAME);
    }

    /** Opens the state in a folder, making both where they are absent. */
    static Database open(Path weirDir, FileSystemType type) {
        Path folder = makeFolder(weirDir, type);
        Path file = in(folder);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            create(file);
        }
        PrivateFiles.narrowFile(file);
        Database database = new Database(file, connect(file, true));
        try {
            // A folder or a disk that cannot be written is found out now, not when the first slice has been loaded.
            database.write("a trial entry was", Schema::upgrade);
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
        return database;
    }

    /** Opens the state of a folder that has one, to read it only. */
    static Database openForReading(Path weirDir, FileSystemType type) {
        refuseNetwork(weirDir, type);
        Path file = in(weirDir);
        return new Database(file, connect(file, false));
    }

    /** Whether there is something to open, be it damaged. */
    static boolean exists(Path weirDir) {
        return Files.exists(in(weirDir), LinkOption.NOFOLLOW_LINKS);
    }

    private static Path makeFolder(Path weirDir, FileSystemType type) {
        try {
            PrivateFiles.folder(weirDir);
        } catch (FileAlreadyExistsException e) {
            throw StateFaults.refused(weirDir, "it is no folder", "weir keeps its state there: move what it is away");
        } catch (IOException e) {
            throw StateFaults.unreachable(weirDir, "making the folder", e);
        }
        refuseNetwork(weirDir, type);
        return weirDir;
    }

    private static void refuseNetwork(Path weirDir, FileSystemType type) {
        String name;
        try {
            name = type.of(weirDir);
        } catch (IOException e) {
            throw StateFaults.unreachable(weirDir, "looking at the file system", e);
        }
        if (NetworkFileSystems.include(name)) {
            throw StateFaults.refused(
                    weirDir,
                    "it is on a network file system (" + name
                            + "), where locks do not reliably hold off another machine",
                    "move the project, or its .weir folder, to a local disk");
        }
    }

    private static void create(Path file) {
        refuseLeftBehind(file);
        Path draft = file.resolveSibling(NAME + ".new-" + UUID.randomUUID());
        try {
            PrivateFiles.create(draft);
            try (Connection connection = Database.connect(draft, true)) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("PRAGMA journal_mode = MEMORY");
                }
                Schema.create(connection);
            }
            PrivateFiles.sync(draft);
            publish(draft, file);
            PrivateFiles.sync(file.toAbsolutePath().getParent());
        } catch (IOException e) {
            throw StateFaults.unreachable(file, "making it", e);
        } catch (SQLException e) {
            throw StateFaults.notWritten(file, "the first tables were", e);
        } finally {
            deleteQuietly(draft);
        }
    }

    /** A journal without its database would be played back into a new one. */
    private static void refuseLeftBehind(Path file) {
        for (String suffix : List.of("-journal", "-wal")) {
            Path left = file.resolveSibling(NAME + suffix);
            if (Files.exists(left, LinkOption.NOFOLLOW_LINKS) && !Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                throw StateFaults.damaged(left, "it belongs to a " + NAME + " that is gone");
            }
        }
    }

    /** A link is made only where no such name exists: of two processes that begin at once, one wins. */
    private static void publish(Path draft, Path file) throws IOException {
        try {
            Files.createLink(file, draft);
        } catch (FileAlreadyExistsException e) {
            // Another process was first; its file is as good.
        } catch (UnsupportedOperationException e) {
            Files.move(draft, file);
        }
    }

    private static void deleteQuietly(Path draft) {
        try {
            Files.deleteIfExists(draft);
        } catch (IOException e) {
            // A draft left behind is never opened again.
        }
    }

    private static Connection connect(Path file, boolean writing) {
        check(file);
        Connection connection = null;
        try {
            connection = Database.connect(file, writing);
            check(file, connection);
            return connection;
        } catch (SQLException e) {
            close(connection);
            throw StateFaults.unreadable(file, e);
        } catch (RuntimeException e) {
            close(connection);
            throw e;
        }
    }

    private static void check(Path file) {
        if (!Files.isRegularFile(file)) {
            throw StateFaults.damaged(file, Files.exists(file) ? "it is no file" : "it is a link to nothing");
        }
        try {
            if (Files.size(file) == 0) {
                throw StateFaults.damaged(file, "it is empty, and weir never leaves it empty");
            }
        } catch (IOException e) {
            throw StateFaults.unreachable(file, "looking at it", e);
        }
    }

    private static void check(Path file, Connection connection) throws SQLException {
        long application = Schema.pragma(connection, "application_id");
        long version = Schema.pragma(connection, "user_version");
        if (application != Schema.APPLICATION_ID) {
            throw StateFaults.damaged(file, "it is a database of another program, not the state of weir");
        }
        if (version > Schema.VERSION) {
            throw StateFaults.refused(
                    file,
                    "it was written by a newer weir: its form is " + version + ", this version knows " + Schema.VERSION,
                    "use that newer version of weir; nothing was changed");
        }
        String found = version < 1 ? "it has no form number" : found(file, connection);
        if (!found.equals("ok")) {
            throw StateFaults.damaged(file, "it is damaged: " + found.replaceAll("\\s+", " "));
        }
    }

    /** SQLite reads zeroes where a file ends within its last page, and finds nothing wrong with them. */
    private static String found(Path file, Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            // The check and the size are of one moment: while we read, nobody writes.
            statement.execute("BEGIN");
            try {
                String found = Schema.quickCheck(connection);
                boolean wholePages = Files.size(file) % Schema.pragma(connection, "page_size") == 0;
                return wholePages || !found.equals("ok") ? found : "its last page is cut off";
            } finally {
                statement.execute("ROLLBACK");
            }
        } catch (IOException e) {
            throw StateFaults.unreachable(file, "looking at it", e);
        }
    }

    private static void close(@Nullable Connection connection) {
        if (connection == null) {
            return;
        }
        try {
            connection.close();
        } catch (SQLException e) {
            // The failure that led here is the one to tell.
        }
    }
}
