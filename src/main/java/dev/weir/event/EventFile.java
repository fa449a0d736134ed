package dev.weir.event;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A file of lines that only grows. Made with its first line. */
final class EventFile implements AutoCloseable {

    private final Path file;
    private @Nullable FileChannel channel;

    EventFile(Path file) {
        this.file = file;
    }

    void append(String line) throws IOException {
        FileChannel open = channel;
        if (open == null) {
            open = OwnerOnly.open(file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND));
            channel = open;
        }
        ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            open.write(bytes);
        }
    }

    @Override
    public void close() throws IOException {
        FileChannel open = channel;
        channel = null;
        if (open != null) {
            open.close();
        }
    }
}
