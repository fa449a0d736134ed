package dev.weir.state;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Makes files and folders that only their owner may read, from the first moment on, whatever the umask. */
final class PrivateFiles {

    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");

    private PrivateFiles() {}

    /** The folder, made if it is absent, its permissions narrowed if they are wider. */
    static Path folder(Path folder) throws IOException {
        try {
            Files.createDirectory(folder, attributes(folder, FOLDER));
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(folder)) {
                throw e;
            }
        }
        narrow(folder, FOLDER);
        return folder;
    }

    /** A new file. */
    static void create(Path file) throws IOException {
        Files.createFile(file, attributes(file, FILE));
        narrow(file, FILE);
    }

    /** The file, made if it is absent. */
    static void ensure(Path file) throws IOException {
        try {
            create(file);
        } catch (FileAlreadyExistsException e) {
            // The usual case.
        }
    }

    /** Takes the permissions of others away from a file weir owns; a file of somebody else stays as it is. */
    static void narrowFile(Path file) {
        try {
            narrow(file, FILE);
        } catch (IOException e) {
            // Not ours to change: whoever may open it may use it.
        }
    }

    private static void narrow(Path path, Set<PosixFilePermission> permissions) throws IOException {
        if (!hasPermissions(path)) {
            return;
        }
        try {
            if (!Files.getPosixFilePermissions(path).equals(permissions)) {
                Files.setPosixFilePermissions(path, permissions);
            }
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException e) {
            if (!Files.isWritable(path)) {
                throw e;
            }
        }
    }

    private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> permissions) {
        return hasPermissions(path)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    private static boolean hasPermissions(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /** Makes what happened in a file, or to the names in a folder, survive a power failure. */
    static void sync(Path path) throws IOException {
        if (!hasPermissions(path) && Files.isDirectory(path)) {
            // Elsewhere a folder cannot be opened, and its entries are journalled by the system.
            return;
        }
        boolean interrupted = Thread.interrupted();
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
