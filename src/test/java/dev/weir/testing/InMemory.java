package dev.weir.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Folders in memory, where the machine has room for them there: for tests that commit thousands of times and let processes
 * die, not the machine, so that what a disk would have kept is of no interest.
 */
public final class InMemory implements TempDirFactory {

    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long ENOUGH_BYTES = 2L << 30;

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test) throws IOException {
        return isRoomy() ? Files.createTempDirectory(MEMORY, "weir") : Files.createTempDirectory("weir");
    }

    private static boolean isRoomy() throws IOException {
        return Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() > ENOUGH_BYTES;
    }
}
