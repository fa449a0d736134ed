package dev.weir.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each promise of docs/reliability.md names tests, and they exist. */
class ReliabilityPageTest {

    private static final Pattern NAMED = Pattern.compile("`(\\w+Test)`");

    private final String page = Document.read("docs/reliability.md").text();

    @Test
    void everyTestThatAPromiseRestsOnExists() throws IOException {
        Set<String> named = new TreeSet<>();
        Matcher found = NAMED.matcher(page);
        while (found.find()) {
            named.add(found.group(1));
        }
        Set<String> known;
        try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
            known = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("Test.java"))
                    .map(name -> name.substring(0, name.length() - ".java".length()))
                    .collect(Collectors.toSet());
        }

        assertThat(named).isNotEmpty();
        assertThat(known).containsAll(named);
    }

    @Test
    void everyBreakageHasATestThatShowsIt() {
        assertThat(page.lines()
                        .filter(line -> line.startsWith("| ")
                                && line.chars().filter(c -> c == '|').count() == 4)
                        .filter(line -> !line.startsWith("| what ") && !line.contains("---")))
                .isNotEmpty()
                .allMatch(line -> NAMED.matcher(line).find());
    }
}
