package dev.weir.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A real disk in the place of a folder, as far as the machine lets a test have one; else the test is skipped. */
public final class Disk implements AutoCloseable {

    private static final String FILLER = "filler";

    private final Path folder;

    private Disk(Path folder) {
        this.folder = folder;
    }

    /** A disk of so many bytes, empty; what the folder held is out of sight. */
    public static Disk of(long bytes, Path folder) {
        return mounted(folder, "mount", "-t", "tmpfs", "-o", "size=" + bytes + ",mode=0777", "none", folder.toString());
    }

    /** The folder with all it holds, none of which can be changed. */
    public static Disk readOnly(Path folder) {
        Disk disk = mounted(folder, "mount", "--bind", folder.toString(), folder.toString());
        if (!succeeds("mount", "-o", "remount,bind,ro", folder.toString())) {
            disk.close();
            assumeTrue(false, "this machine does not let a test mount a folder read-only");
        }
        return disk;
    }

    private static Disk mounted(Path folder, String... command) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        assumeTrue(succeeds(command), "this machine does not let a test mount a disk: it is to be root, and Linux");
        return new Disk(folder);
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

    public Path folder() {
        return folder;
    }

    /** Takes all room but so many bytes. */
    public void fill(long left) {
        try (OutputStream filler = Files.newOutputStream(folder.resolve(FILLER))) {
            byte[] page = new byte[4096];
            for (long room = Files.getFileStore(folder).getUsableSpace() - left; room > 0; room -= page.length) {
                filler.write(page);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void makeRoom() {
        try {
            Files.delete(folder.resolve(FILLER));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        if (!succeeds("umount", folder.toString())) {
            // Something still has a file open there; the mount goes when it is closed.
            succeeds("umount", "--lazy", folder.toString());
        }
    }
}
