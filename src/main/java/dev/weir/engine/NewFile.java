package dev.weir.engine;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * A DuckDB file in the making: it gets its name when it is whole. DuckDB refuses the beginning of a file, which a process
 * that died while it made one would leave.
 */
final class NewFile implements AutoCloseable {

    private final Path path;
    private final Path draft;

    NewFile(Path path) {
        this.path = path;
        this.draft = path.resolveSibling(path.getFileName() + ".new-" + UUID.randomUUID());
    }

    /** Where DuckDB is to make it. */
    Path draft() {
        return draft;
    }

    /** Gives the finished file its name, unless another process was first: then that one's file is as good. */
    void publish() throws IOException {
        try {
            Files.createLink(path, draft);
        } catch (FileAlreadyExistsException e) {
            return;
        } catch (IOException | UnsupportedOperationException e) {
            // A file system without links.
            Files.move(draft, path);
        }
    }

    /** Leaves nothing but the file itself behind. Never fails. */
    @Override
    public void close() {
        for (Path left : new Path[] {draft, draft.resolveSibling(draft.getFileName() + ".wal")}) {
            try {
                Files.deleteIfExists(left);
            } catch (IOException e) {
                // Nobody opens it again.
                continue;
            }
        }
    }
}
