package dev.weir.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every command block of README.md and docs is executed, in order, on real systems, its output compared where shown. */
class DocumentsTest {

    /** It needs its data: see {@link FlightsTest}. */
    private static final String TUTORIAL = "docs/tutorial.md";

    private static final Set<String> LANGUAGES = Set.of("sh", "console", "yaml", "sql", "text", "json");
    private static final Set<String> MODES = Set.of("", "output", "postgres");

    @TempDir
    Path folder;

    static List<Document> documents() {
        return Document.all().stream()
                .filter(document -> !document.name().equals(TUTORIAL))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void everyCommandDoesWhatThePageSays(Document document) {
        Reader.in(folder).follow(document);
    }

    @Test
    void everyBlockIsOfAKindThatIsChecked() {
        for (Document document : Document.all()) {
            for (Document.Block block : document.blocks()) {
                assertThat(LANGUAGES).as("%s:%d", document, block.line()).contains(block.language());
                assertThat(MODES).as("%s:%d", document, block.line()).contains(block.mode());
            }
        }
    }

    @Test
    void theWholeTestRunIsTheOnlyCommandThatIsNotExecuted() {
        List<String> skipped = Document.all().stream()
                .flatMap(document -> document.blocks().stream())
                .filter(Document.Block::isCommands)
                .flatMap(block -> block.lines().stream())
                .filter(line -> line.startsWith("mvn"))
                .toList();

        assertThat(skipped).containsExactly(Reader.ALL_TESTS);
    }

    @Test
    void linksBetweenPagesLeadSomewhere() {
        for (Document document : Document.all()) {
            Path parent = Path.of(document.name()).toAbsolutePath().getParent();
            java.util.regex.Matcher link = java.util.regex.Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)")
                    .matcher(document.text());
            while (link.find()) {
                assertThat(parent.resolve(link.group(1)))
                        .as(document + " links " + link.group())
                        .exists();
            }
        }
    }
}
