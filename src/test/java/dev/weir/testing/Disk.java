package dev.weir.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A disk that can be full, or that cannot be written. Where the machine does not let a test have one, it is skipped. */
public interface Disk extends AutoCloseable {

    /** Which of them: a real one needs root, a limit on what this process may write needs nothing. */
    enum Kind {
        MOUNTED,
        LIMITED;

        /** A disk of so many bytes in place of a folder, which is made. */
        public Disk of(long bytes, Path folder) {
            try {
                Files.createDirectories(folder);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return this == MOUNTED ? new Mounted(bytes, folder) : new Limited(folder);
        }
    }

    /** Takes all room but so many bytes. */
    void fill(long left);

    void makeRoom();

    @Override
    void close();

    /** A folder with all it holds, none of which can be changed. */
    static AutoCloseable readOnly(Path folder) {
        mount("mount", "--bind", folder.toString(), folder.toString());
        if (!succeeds("mount", "-o", "remount,bind,ro", folder.toString())) {
            unmount(folder);
            assumeTrue(false, "this machine does not let a test make a folder read-only");
        }
        return () -> unmount(folder);
    }

    private static void mount(String... command) {
        assumeTrue(succeeds(command), "this machine does not let a test mount a disk: that takes root, and Linux");
    }

    private static void unmount(Path folder) {
        if (!succeeds("umount", folder.toString())) {
            // Something still has a file open there; the disk goes when it is closed.
            succeeds("umount", "--lazy", folder.toString());
        }
    }

    private static boolean succeeds(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** A disk in memory: what is written to it when it is full meets {@code ENOSPC}. */
    final class Mounted implements Disk {

        private final Path folder;
        private final Path filler;

        private Mounted(long bytes, Path folder) {
            mount("mount", "-t", "tmpfs", "-o", "size=" + bytes + ",mode=0777", "none", folder.toString());
            this.folder = folder;
            this.filler = folder.resolve("filler");
        }

        @Override
        public void fill(long left) {
            try (OutputStream out = Files.newOutputStream(filler)) {
                byte[] page = new byte[4096];
                for (long room = Files.getFileStore(folder).getUsableSpace() - left; room > 0; room -= page.length) {
                    out.write(page);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void makeRoom() {
            try {
                Files.delete(filler);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            unmount(folder);
        }
    }

    /** No file of this process may grow further: what does meets {@code EFBIG}. */
    final class Limited implements Disk {

        private final Path folder;

        private Limited(Path folder) {
            this.folder = folder;
            assumeTrue(limit("unlimited"), "this machine has no prlimit to keep a process from writing");
        }

        private static boolean limit(String bytes) {
            return succeeds(
                    "prlimit", "--pid", Long.toString(ProcessHandle.current().pid()), "--fsize=" + bytes + ":");
        }

        @Override
        public void fill(long left) {
            limit(Long.toString(left == 0 ? 0 : largestFile() + left));
        }

        private long largestFile() {
            try (Stream<Path> files = Files.list(folder)) {
                return files.mapToLong(file -> file.toFile().length()).max().orElse(0);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void makeRoom() {
            limit("unlimited");
        }

        @Override
        public void close() {
            makeRoom();
        }
    }
}
