package dev.weir.run;

import dev.weir.fault.Code;
import dev.weir.fault.UsageException;
import dev.weir.plan.Plan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Where DuckDB spills what does not fit its memory: {@code .weir/tmp}, or a folder of the project's own in the one that
 * {@code spill} names; in it a folder for each process and run.
 *
 * <p>What a dead process of this machine left is removed by the next one. Failing to is harmless.
 */
final class SpillFolders {

    private final Path folder;

    private SpillFolders(Path folder) {
        this.folder = folder;
    }

    /** @throws UsageException WR0105 when {@code spill} names no folder that can be written */
    static SpillFolders of(Plan plan) {
        return plan.settings()
                .spill()
                .map(spill -> inFolder(plan, plan.dir().resolve(spill).normalize()))
                .orElseGet(() -> new SpillFolders(plan.dir().resolve(".weir").resolve("tmp")));
    }

    /** Others may spill there too, and what is removed must be this project's. */
    private static SpillFolders inFolder(Plan plan, Path spill) {
        if (!Files.isDirectory(spill) || !Files.isWritable(spill)) {
            throw new UsageException(
                    Code.BAD_VALUE,
                    "weir.yml",
                    "spill: " + spill + (Files.isDirectory(spill) ? " cannot be written" : " is no folder"),
                    "make that folder, on a local disk with room, for whoever runs weir; or leave spill out");
        }
        byte[] project = plan.dir().toAbsolutePath().normalize().toString().getBytes(StandardCharsets.UTF_8);
        return new SpillFolders(spill.resolve("weir-" + UUID.nameUUIDFromBytes(project)));
    }

    /** A folder for this process alone; made by DuckDB when it first spills, which makes none above it. */
    Path fresh(String runId) {
        try {
            Files.createDirectories(folder, ownerOnly());
        } catch (IOException e) {
            // Told by DuckDB, should anything be spilled.
        }
        try {
            removeLeftOvers();
        } catch (IOException | UncheckedIOException e) {
            // They take space, and nothing else.
        }
        return unused(runId);
    }

    private FileAttribute<?>[] ownerOnly() {
        return folder.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
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
