package dev.weir.event;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

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

    static FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
        return FileChannel.open(file, options, permissions(file, "rw-------"));
    }

    /** Puts the text in the file's place: a reader, and a power failure, find the old text or the new one, whole. */
    static void replace(Path file, String text) throws IOException {
        Path draft = file.resolveSibling("." + file.getFileName() + ".new");
        Files.deleteIfExists(draft);
        try (FileChannel channel = open(draft, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        syncFolder(file.toAbsolutePath().getParent());
    }

    private static void syncFolder(Path folder) throws IOException {
        if (!hasPermissions(folder)) {
            // Elsewhere a folder cannot be opened, and its entries are journalled by the system.
            return;
        }
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
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
