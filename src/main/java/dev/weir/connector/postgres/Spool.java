package dev.weir.connector.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Bytes that are written once and read as often as wanted: some of them in memory, the others in a file. Used by one thread. */
final class Spool implements AutoCloseable {

    private static final int BLOCK = 1 << 20;

    /** How many blocks are kept in memory: where the heap is small, few, since several slices may be kept at once. */
    private static final int IN_MEMORY = inMemory(Runtime.getRuntime().maxMemory());

    private final Path folder;
    private final List<byte[]> blocks = new ArrayList<>();
    private byte[] block = new byte[BLOCK];
    private int filled;
    private @Nullable Path file;
    private @Nullable OutputStream out;

    /** @param folder where the file is made, if one is needed */
    Spool(Path folder) {
        this.folder = folder;
    }

    static int inMemory(long heap) {
        return (int) Math.max(1, Math.min(24, heap / (64L * BLOCK)));
    }

    void write(byte[] bytes) throws IOException {
        int from = 0;
        while (from < bytes.length) {
            int length = Math.min(bytes.length - from, BLOCK - filled);
            System.arraycopy(bytes, from, block, filled, length);
            filled += length;
            from += length;
            if (filled == BLOCK) {
                put();
            }
        }
    }

    private void put() throws IOException {
        if (blocks.size() < IN_MEMORY) {
            blocks.add(filled == BLOCK ? block : Arrays.copyOf(block, filled));
            block = new byte[BLOCK];
        } else {
            if (out == null) {
                Files.createDirectories(folder);
                file = Files.createTempFile(folder, "slice-", ".copy");
                out = Files.newOutputStream(file);
            }
            out.write(block, 0, filled);
        }
        filled = 0;
    }

    /** Says that everything was written. */
    void end() throws IOException {
        if (filled > 0) {
            put();
        }
        block = new byte[0];
        if (out != null) {
            out.close();
        }
    }

    /** All the bytes, from the first. */
    Pieces read() {
        return new Pieces();
    }

    /** The bytes one piece after the other. */
    final class Pieces implements AutoCloseable {

        private int next;
        private @Nullable InputStream in;

        /** The next of them, which must not be changed; null: there are no more, and nothing may be asked again. */
        byte @Nullable [] next() throws IOException {
            if (next < blocks.size()) {
                return blocks.get(next++);
            }
            if (file == null) {
                return null;
            }
            if (in == null) {
                in = Files.newInputStream(file);
            }
            byte[] piece = in.readNBytes(BLOCK);
            if (piece.length == 0) {
                in.close();
                return null;
            }
            return piece;
        }

        @Override
        public void close() throws IOException {
            if (in != null) {
                in.close();
            }
        }
    }

    /** Forgets the bytes. Never fails. */
    @Override
    public void close() {
        blocks.clear();
        try {
            if (out != null) {
                out.close();
            }
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // It goes with the folder, at the end of the invocation.
            return;
        }
    }
}
