package dev.weir.event;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Makes folders of 0700 and files of 0600 where the system knows such permissions. */
final class OwnerOnly {

    private OwnerOnly() {}

    /** The folder, made if it is absent. */
    static void folder(Path folder) throws IOException {
        try {
            Files.createDirectory(folder, permissions(folder, "rwx------"));
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(folder)) {
                throw e;
            }
        }
    }

    /**
     * A stream to the end of a file, which is made if it is absent.
     *
     * <p>No channel: a channel closes when its thread is interrupted, and a cancelled run still tells its end.
     */
    static FileOutputStream append(Path file) throws IOException {
        try {
            Files.createFile(file, permissions(file, "rw-------"));
        } catch (FileAlreadyExistsException e) {
            // It goes on where it ended.
        }
        return new FileOutputStream(file.toFile(), true);
    }

    /** As {@link #replace}, but that a power failure may leave neither text. */
    static void show(Path file, String text) throws IOException {
        move(draft(file, text, false), file);
    }

    /** Puts the text in the file's place: a reader, and a power failure, find the old text or the new one, whole. */
    static void replace(Path file, String text) throws IOException {
        move(draft(file, text, true), file);
        syncFolder(file.toAbsolutePath().getParent());
    }

    private static Path draft(Path file, String text, boolean synced) throws IOException {
        Path draft = file.resolveSibling("." + file.getFileName() + ".new");
        Files.deleteIfExists(draft);
        try (FileOutputStream out = append(draft)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            if (synced) {
                out.getFD().sync();
            }
        }
        return draft;
    }

    private static void move(Path draft, Path file) throws IOException {
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void syncFolder(Path folder) throws IOException {
        if (!hasPermissions(folder)) {
            // Elsewhere a folder cannot be opened, and its entries are journalled by the system.
            return;
        }
        boolean interrupted = Thread.interrupted();
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static FileAttribute<?>[] permissions(Path path, String permissions) {
        return hasPermissions(path)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static boolean hasPermissions(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
