package dev.weir.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Temporary folders of tests, in memory where the machine has room for them there: tests commit thousands of times, and let
 * processes die but not the machine, so that what a disk would have kept is of no interest. Every test has its folders
 * here by {@code junit-platform.properties}.
 */
public final class InMemory implements TempDirFactory {

    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long ENOUGH_BYTES = 4L << 30;

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test) throws IOException {
        return folder();
    }

    /** A new folder, which its caller deletes. */
    static Path folder() throws IOException {
        return isRoomy() ? Files.createTempDirectory(MEMORY, "weir") : Files.createTempDirectory("weir");
    }

    private static boolean isRoomy() throws IOException {
        return Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() > ENOUGH_BYTES;
    }
}
