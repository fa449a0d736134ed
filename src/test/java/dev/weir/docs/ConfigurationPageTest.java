package dev.weir.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of configuration names every key: those that weir says are known, wherever it is given one it does not know. */
class ConfigurationPageTest {

    private static final Pattern UNKNOWN =
            Pattern.compile("WR0(?:102|206) [^\\n]*'zz\\d+'[^\\n]*\\n  known: ([^\\n]*)");
    private static final int PLACES = 11;

    private final String page = Document.read("docs/configuration.md").text();

    @TempDir
    Path folder;

    private String complaints() {
        return new WeirProject(folder)
                .file("weir.yml", """
                        zz0: 1
                        retention: { zz1: 1 }
                        backfill: { zz10: 1 }
                        """)
                .file("connections.yml", """
                        pg:
                          connector: postgres
                          host: h
                          database: d
                          zz2: 1
                          retry: { zz3: 1 }
                          entities:
                            orders:
                              zz4: 1
                              read:
                                zz5: 1
                                sync: { mode: incremental, cursor: id, zz6: 1 }
                              write:
                                zz7: 1
                        duck:
                          connector: duckdb
                          path: p
                          zz8: 1
                        lite:
                          connector: sqlite
                          path: p
                          zz9: 1
                        """)
                .file("pipelines/p.sql", "SELECT 1 AS one\n")
                .run("validate")
                .err();
    }

    @Test
    void everyKeyOfEveryPlaceIsOnThePage() {
        String complaints = complaints();
        Matcher found = UNKNOWN.matcher(complaints);
        int places = 0;
        while (found.find()) {
            places++;
            List<String> keys = Arrays.asList(found.group(1).split(", "));
            assertThat(keys).allSatisfy(key -> assertThat(page)
                    .containsPattern("(?:`" + key + "[`:]|`retention\\." + key + "`)"));
        }

        assertThat(places).as(complaints).isEqualTo(PLACES);
    }
}
