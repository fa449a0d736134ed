package dev.weir.event;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file of lines that only grows. Made with its first line. */
final class EventFile implements AutoCloseable {

    private final Path file;
    private @Nullable FileOutputStream out;

    EventFile(Path file) {
        this.file = file;
    }

    void append(String line) throws IOException {
        FileOutputStream open = out;
        if (open == null) {
            open = OwnerOnly.append(file);
            out = open;
        }
        open.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws IOException {
        FileOutputStream open = out;
        out = null;
        if (open != null) {
            open.close();
        }
    }
}
