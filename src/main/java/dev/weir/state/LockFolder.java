package dev.weir.state;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Exclusive locks by name, each an OS lock on a file of its own, freed by the kernel when the process dies.
 *
 * <p>The files hold nothing and are never deleted. The kernel counts locks by process and drops ALL locks a process has
 * on a file as soon as it closes ANY of its channels on it. So no channel on a lock's file may be opened while another
 * part of this JVM, another store over the same folder included, has one. What keeps them apart is the guard: a file on
 * which each name has one byte, locked shared. Shared locks of different processes do not touch each other, but within
 * one JVM the JDK refuses an overlapping lock, shared or not, by its own table for the whole JVM. What the kernel does
 * with the guard's locks matters to nobody, so its channels may come and go, and no static registry is needed.
 * Thread-safe.
 */
final class LockFolder implements AutoCloseable {

    private static final String GUARD = "jvm.guard";

    private final Path folder;
    private @Nullable FileChannel guard;

    LockFolder(Path folder) {
        this.folder = folder;
    }

    /** A lock held until it is closed, or until the process ends. */
    static final class Held implements AutoCloseable {
        private final FileLock ours;
        private final FileLock lock;

        private Held(FileLock ours, FileLock lock) {
            this.ours = ours;
            this.lock = lock;
        }

        @Override
        public void close() {
            closeQuietly(lock.acquiredBy());
            releaseQuietly(ours);
        }
    }

    /**
     * The lock, or empty where anybody else has it, in this process or another.
     *
     * @throws dev.weir.fault.RunException WR0518 when the folder cannot be used
     */
    synchronized Optional<Held> tryLock(String name) {
        Path file = folder.resolve(name);
        try {
            PrivateFiles.folder(folder);
            PrivateFiles.ensure(folder.resolve(GUARD));
            PrivateFiles.ensure(file);
            return tryLock(name, file, false);
        } catch (IOException e) {
            throw StateFaults.unreachable(file, "locking it", e);
        }
    }

    /** Whether anybody has the lock now. Makes no file. */
    synchronized boolean isHeld(String name) {
        Path file = folder.resolve(name);
        if (!Files.exists(file)) {
            return false;
        }
        try {
            Optional<Held> probe = tryLock(name, file, true);
            probe.ifPresent(Held::close);
            return probe.isEmpty();
        } catch (NoSuchFileException e) {
            // Every lock is preceded by the guard's file.
            return false;
        } catch (IOException e) {
            throw StateFaults.unreachable(file, "looking whether it is locked", e);
        }
    }

    private Optional<Held> tryLock(String name, Path file, boolean shared) throws IOException {
        FileLock ours = tryGuard(name);
        if (ours == null) {
            return Optional.empty();
        }
        FileChannel channel = null;
        FileLock lock = null;
        try {
            channel = FileChannel.open(file, shared ? StandardOpenOption.READ : StandardOpenOption.WRITE);
            lock = channel.tryLock(0, 1, shared);
        } finally {
            if (lock == null) {
                closeQuietly(channel);
                releaseQuietly(ours);
            }
        }
        return lock == null ? Optional.empty() : Optional.of(new Held(ours, lock));
    }

    /** This JVM's one right to open a channel on that file; null: it is taken. */
    private @Nullable FileLock tryGuard(String name) throws IOException {
        FileChannel channel = guard;
        if (channel == null || !channel.isOpen()) {
            channel = FileChannel.open(folder.resolve(GUARD), StandardOpenOption.READ);
            guard = channel;
        }
        try {
            return channel.tryLock(place(name), 1, true);
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    /** The byte of a name in the guard, one of 2^62: files do not grow by being locked beyond their end. */
    private static long place(String name) {
        return ByteBuffer.wrap(digest(name)).getLong() >>> 2;
    }

    /** A hash that makes a file name of any text. */
    static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Locks still held stay held: each keeps what it needs. */
    @Override
    public synchronized void close() {
        // The channel is not closed: that would end the guard over locks still held. It goes with the last of them.
        guard = null;
    }

    private static void closeQuietly(java.nio.channels.@Nullable Channel channel) {
        if (channel == null) {
            return;
        }
        try {
            channel.close();
        } catch (IOException e) {
            // Closed or not, the kernel frees the lock when the process ends.
        }
    }

    private static void releaseQuietly(FileLock lock) {
        try {
            lock.release();
        } catch (IOException e) {
            // Its channel is closed already, and the lock gone with it.
        }
    }
}
