package dev.weir.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What the JDK has no word for. */
final class Folders {

    private Folders() {}

    /** Deletes a file or a folder with all that is in it; nothing when there is none. */
    static void delete(Path path) throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        List<Path> inner;
        try (Stream<Path> all = Files.walk(path)) {
            inner = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : inner) {
            Files.delete(each);
        }
    }
}
