package dev.weir.testing;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** What a command says, each line told as soon as it is whole. */
final class Overheard extends ByteArrayOutputStream {

    private final Consumer<String> lines;
    private int told;

    Overheard(Consumer<String> lines) {
        this.lines = lines;
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int length) {
        super.write(bytes, from, length);
        for (int i = told; i < count; i++) {
            if (buf[i] == '\n') {
                String line = new String(buf, told, i - told, StandardCharsets.UTF_8);
                told = i + 1;
                lines.accept(line);
            }
        }
    }
}
