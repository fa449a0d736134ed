package dev.weir.project;

import dev.weir.fault.Code;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/** The text of one file, and the places in it. Immutable. */
final class SourceText {

    /** No file a person writes comes near it. */
    private static final int LARGEST = 4 << 20;

    private final String file;
    private final String text;
    private final int[] lines;
    private final boolean hasPairs;

    /**
     * @param file as users see it: relative to the project's folder
     * @param text without a byte order mark
     */
    SourceText(String file, String text) {
        this.file = file;
        this.text = text;
        this.lines = IntStream.concat(
                        IntStream.of(0),
                        IntStream.range(0, text.length())
                                .filter(i -> text.charAt(i) == '\n')
                                .map(i -> i + 1))
                .toArray();
        this.hasPairs = text.codePointCount(0, text.length()) < text.length();
    }

    String file() {
        return file;
    }

    String text() {
        return text;
    }

    /** Reads a file; empty, and a problem, when it is no readable UTF-8 text. */
    static Optional<SourceText> read(Path path, String file, Problems problems) {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(path)) {
            bytes = in.readNBytes(LARGEST + 1);
        } catch (IOException e) {
            problems.add(
                    Code.MALFORMED_FILE,
                    Place.of(file),
                    "the file cannot be read" + why(path, e),
                    "check that it is a file and that you may read it");
            return Optional.empty();
        }
        if (bytes.length > LARGEST) {
            problems.add(
                    Code.MALFORMED_FILE,
                    Place.of(file),
                    "the file is larger than 4 MiB",
                    "check that it is the right file, or split it");
            return Optional.empty();
        }
        return decode(bytes, file, problems);
    }

    private static String why(Path path, IOException failure) {
        if (Files.isDirectory(path)) {
            return ": it is a folder";
        }
        if (failure instanceof NoSuchFileException) {
            return Files.isSymbolicLink(path) ? ": it is a link to nothing" : ": it is gone";
        }
        return failure instanceof AccessDeniedException ? ": permission denied" : "";
    }

    private static Optional<SourceText> decode(byte[] bytes, String file, Problems problems) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(in, out, true);
        String text = out.flip().toString();
        SourceText source = new SourceText(file, text.startsWith("\uFEFF") ? text.substring(1) : text);
        if (result.isError()) {
            problems.add(
                    Code.MALFORMED_FILE,
                    source.place(source.text().length()),
                    "the file is not UTF-8 text from here on",
                    "save it as UTF-8");
            return Optional.empty();
        }
        int zero = source.text().indexOf('\0');
        if (zero >= 0) {
            problems.add(
                    Code.MALFORMED_FILE,
                    source.place(zero),
                    "a NUL character: this is no text file",
                    "save the file as UTF-8 text");
            return Optional.empty();
        }
        return Optional.of(source);
    }

    /** The place of a character; columns count code points. */
    Place place(int index) {
        int found = Arrays.binarySearch(lines, index);
        int line = found >= 0 ? found : -found - 2;
        int column = hasPairs ? text.codePointCount(lines[line], index) : index - lines[line];
        return new Place(file, line + 1, column + 1);
    }
}
