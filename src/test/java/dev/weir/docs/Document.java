package dev.weir.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page of the documentation and its fenced blocks.
 *
 * @param name its path from the project's root
 * @param text all of it
 */
record Document(String name, String text) {

    private static final Pattern FILE_NAME = Pattern.compile("\\*\\*`?([\\w./-]+)`?\\*\\*");

    /**
     * A fenced block.
     *
     * @param language the first word behind the fence
     * @param mode the second one: {@code postgres} for SQL that runs there, {@code output} for what the last command says
     * @param file the file it shows, named in bold on the line before
     * @param line where it begins, from 1
     */
    record Block(String language, String mode, Optional<String> file, List<String> lines, int line) {

        String content() {
            return String.join("\n", lines) + "\n";
        }

        boolean isCommands() {
            return language.equals("sh") || language.equals("console");
        }
    }

    static Document read(String name) {
        try {
            return new Document(name, Files.readString(Path.of(name)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** README.md and every page under docs. */
    static List<Document> all() {
        try (Stream<Path> pages = Files.list(Path.of("docs"))) {
            List<Document> documents = new ArrayList<>(List.of(read("README.md")));
            pages.map(Path::toString)
                    .filter(page -> page.endsWith(".md"))
                    .sorted()
                    .forEach(page -> documents.add(read(page.replace('\\', '/'))));
            return documents;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Block> blocks() {
        List<Block> blocks = new ArrayList<>();
        List<String> lines = text.lines().toList();
        String before = "";
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (!line.startsWith("```")) {
                before = line.isBlank() ? before : line;
                continue;
            }
            int end = i + 1;
            while (!lines.get(end).equals("```")) {
                end++;
            }
            String[] info = line.substring(3).split(" ", 2);
            blocks.add(new Block(
                    info[0], info.length > 1 ? info[1] : "", fileName(before), lines.subList(i + 1, end), i + 1));
            before = "";
            i = end;
        }
        return blocks;
    }

    private static Optional<String> fileName(String line) {
        Matcher matcher = FILE_NAME.matcher(line.strip());
        return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    @Override
    public String toString() {
        return name;
    }
}
