package dev.weir.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where DuckDB spills what does not fit its memory: {@code .weir/tmp}, a folder for each process and run.
 *
 * <p>What a dead process of this machine left is removed by the next one. Failing to is harmless.
 */
final class SpillFolders {

    private final Path folder;

    private SpillFolders(Path folder) {
        this.folder = folder;
    }

    static SpillFolders in(Path weirDir) {
        return new SpillFolders(weirDir.resolve("tmp"));
    }

    /** A folder for this process alone; made by whoever first spills. */
    Path fresh(String runId) {
        try {
            removeLeftOvers();
        } catch (IOException | UncheckedIOException e) {
            // They take space, and nothing else.
        }
        return unused(runId);
    }

    /** The same, leaving alone what others left. */
    Path unused(String runId) {
        return folder.resolve(ProcessHandle.current().pid() + "-" + runId);
    }

    private void removeLeftOvers() throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        List<Path> left;
        try (Stream<Path> entries = Files.list(folder)) {
            left = entries.filter(SpillFolders::isOfDeadProcess).toList();
        }
        for (Path entry : left) {
            try (Stream<Path> inside = Files.walk(entry)) {
                for (Path path : inside.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    private static boolean isOfDeadProcess(Path entry) {
        String name = entry.getFileName().toString();
        int dash = name.indexOf('-');
        try {
            return dash > 0
                    && ProcessHandle.of(Long.parseLong(name.substring(0, dash))).isEmpty();
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
