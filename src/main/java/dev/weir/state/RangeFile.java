package dev.weir.state;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A file whose bytes are locks: each an OS lock of one byte, freed by the kernel when the process dies.
 *
 * <p>The file holds nothing, does not grow by being locked, and is never deleted. The kernel counts locks by process,
 * and drops ALL locks a process has on a file as soon as it closes ANY of its channels on it. So there is one channel
 * for each file in a JVM, by the file's real path: it is opened for the first who use the file and closed after the
 * last, and every other channel on it, a look's or the one that makes the file, is opened and closed only while there is
 * none. Who of this JVM holds which byte is known here; the kernel decides between processes. All of that happens under
 * the one monitor of this class: each step is a system call or two. An interrupted thread closes no channel: neither
 * {@code tryLock} nor {@code release} is an interruptible operation.
 */
final class RangeFile {

    private static final Map<Path, RangeFile> OPEN = new HashMap<>();

    private final Path path;
    private final FileChannel channel;

    /** What this JVM holds, which also keeps the locks reachable. */
    private final NavigableMap<Long, FileLock> held = new TreeMap<>();

    private int users;

    private RangeFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /** The file, made where it is absent; to be {@linkplain #leave() left} once for each time it was entered. */
    static RangeFile enter(Path folder, String name) {
        synchronized (RangeFile.class) {
            try {
                Path path = PrivateFiles.folder(folder).toRealPath().resolve(name);
                RangeFile file = OPEN.get(path);
                if (file == null) {
                    PrivateFiles.ensure(path);
                    file = new RangeFile(
                            path, FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE));
                    OPEN.put(path, file);
                }
                file.users++;
                return file;
            } catch (IOException e) {
                throw StateFaults.unreachable(folder.resolve(name), "opening it", e);
            }
        }
    }

    void leave() {
        synchronized (RangeFile.class) {
            users--;
            if (users == 0) {
                OPEN.remove(path);
                try {
                    channel.close();
                } catch (IOException e) {
                    // Closed or not, the kernel frees its locks when the process ends.
                }
            }
        }
    }

    /** Takes one byte, or answers that somebody has it, if only to look. */
    boolean tryLock(long place) {
        synchronized (RangeFile.class) {
            if (held.containsKey(place)) {
                return false;
            }
            try {
                FileLock lock = channel.tryLock(place, 1, false);
                if (lock == null) {
                    return false;
                }
                held.put(place, lock);
                return true;
            } catch (IOException e) {
                throw StateFaults.unreachable(path, "locking it", e);
            }
        }
    }

    void unlock(long place) {
        synchronized (RangeFile.class) {
            FileLock lock = held.remove(place);
            if (lock == null) {
                return;
            }
            try {
                lock.release();
            } catch (IOException e) {
                // Its channel is closed, and the lock gone with it.
            }
        }
    }

    /** Whether this JVM holds that byte. */
    boolean isOurs(long place) {
        synchronized (RangeFile.class) {
            return held.containsKey(place);
        }
    }

    /**
     * Whether anybody but the holder of one byte holds any byte of a range.
     *
     * @param first the first byte of the range
     * @param count how many bytes there are
     * @param but the byte that does not count
     */
    boolean isHeld(long first, long count, long but) {
        synchronized (RangeFile.class) {
            long end = first + count;
            if (held.subMap(first, end).keySet().stream().anyMatch(place -> place != but)) {
                return true;
            }
            try {
                // A lock over a byte of our own would replace it, and end it.
                boolean within = but >= first && but < end;
                return within
                        ? isLockedElsewhere(channel, first, but - first)
                                || isLockedElsewhere(channel, but + 1, end - but - 1)
                        : isLockedElsewhere(channel, first, count);
            } catch (IOException e) {
                throw StateFaults.unreachable(path, "looking whether it is locked", e);
            }
        }
    }

    /** As {@link #isHeld(long, long, long)}, for who does not use the file: makes none. */
    static boolean isHeld(Path folder, String name, long first, long count) {
        synchronized (RangeFile.class) {
            Path place = folder.resolve(name);
            try {
                if (!Files.exists(place)) {
                    return false;
                }
                Path path = folder.toRealPath().resolve(name);
                Optional<RangeFile> open = Optional.ofNullable(OPEN.get(path));
                if (open.isPresent()) {
                    return open.get().isHeld(first, count, -1);
                }
                try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
                    return isLockedElsewhere(channel, first, count);
                }
            } catch (NoSuchFileException e) {
                return false;
            } catch (IOException e) {
                throw StateFaults.unreachable(place, "looking whether it is locked", e);
            }
        }
    }

    /** Locks that are shared do not meet each other: two who look see only who holds. */
    private static boolean isLockedElsewhere(FileChannel channel, long first, long count) throws IOException {
        if (count == 0) {
            return false;
        }
        try (FileLock lock = channel.tryLock(first, count, true)) {
            return lock == null;
        }
    }
}
