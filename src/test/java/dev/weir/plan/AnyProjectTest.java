package dev.weir.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.project.ProjectFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is in the files, there are problems with places, and never an exception. */
class AnyProjectTest {

    private static final String CONNECTIONS = """
            pg:
              connector: postgres
              host: ${HOST:-x}
              entities:
                public.t:
                  read: {columns: {id: bigint, "a b": "decimal(12,2)"}, sync: {mode: incremental, cursor: id, max_window: 5}}
            lake: {connector: duckdb, path: 'x'}
            """;
    private static final String SQL = """
            /* c */ WITH x AS (SELECT 'a''b', $$ x $$) INSERT INTO {{ sink('lake', "t", keys: ['id'], order_by: 'id') }}
            SELECT {{ watermark('pg', 't') }}, {{ var('v') }} FROM {{ source('pg', 't') }} -- end
            ;
            """;
    private static final String WEIR = "name: n\nvars: {v: 5}\nsecrets: [A]\nmemory: 1GB\nthreads: 2\n";

    /** Characters that mean something to one of the readers. */
    private static final String SHARP = "{}[]()'\"$:-,;#&*!|>%@`\\/\n\t ?~<=.a0\u0000\uFEFF\u0085é🙂";

    @Property(tries = 3000)
    void noEditOfAProjectMakesAnException(
            @ForAll @IntRange(max = 2) int file,
            @ForAll @Size(max = 6) List<@IntRange(max = 400) Integer> places,
            @ForAll @Size(min = 6, max = 6) List<@IntRange(max = 200) Integer> edits)
            throws IOException {
        List<String> names = List.of("connections.yml", "pipelines/p.sql", "weir.yml");
        List<String> texts = List.of(CONNECTIONS, SQL, WEIR);
        StringBuilder text = new StringBuilder(texts.get(file));
        for (int i = 0; i < places.size(); i++) {
            edit(text, places.get(i), edits.get(i));
        }
        Path dir = Files.createTempDirectory("weir-any");
        try {
            ProjectFolder folder = ProjectFolder.in(dir);
            for (int i = 0; i < names.size(); i++) {
                folder.file(names.get(i), i == file ? text.toString() : texts.get(i));
            }
            Plan plan = Planner.plan(folder.load(), KnownConnector.ALL, folder.problems());
            assertThat(plan).isNotNull();
            assertThat(folder.problems().faults())
                    .allMatch(fault -> !fault.place().isEmpty());
        } finally {
            for (String name : names) {
                Files.deleteIfExists(dir.resolve(name));
            }
            Files.deleteIfExists(dir.resolve("pipelines"));
            Files.deleteIfExists(dir);
        }
    }

    private static void edit(StringBuilder text, int place, int edit) {
        int at = text.length() == 0 ? 0 : place % text.length();
        if (edit % 3 == 0) {
            text.delete(at, Math.min(text.length(), at + edit / 10 + 1));
        } else {
            int[] sharp = SHARP.codePoints().toArray();
            text.insert(at, new String(sharp, edit % sharp.length, 1));
        }
    }

    @TempDir
    private Path dir;

    @Test
    void aMebibyteOfAnythingIsReadInNoTime() {
        String mebi = "x".repeat(1 << 20);
        for (String sql : List.of(
                "SELECT '" + mebi,
                "SELECT '" + "''".repeat(1 << 19) + "'",
                "SELECT E'" + "\\n".repeat(1 << 19) + "'",
                "(".repeat(1 << 20),
                "/*".repeat(1 << 19),
                "{{ ".repeat(1 << 18),
                "{{ var('" + "a''".repeat(1 << 18) + "') }}",
                "{{ x }}".repeat(1 << 16),
                "$a".repeat(1 << 18),
                "-- " + mebi)) {
            ProjectFolder folder =
                    ProjectFolder.in(dir).file("connections.yml", CONNECTIONS).file("pipelines/p.sql", sql);
            Assertions.assertTimeout(
                    Duration.ofSeconds(20),
                    () -> Planner.plan(folder.load(), KnownConnector.ALL, folder.problems()),
                    sql.substring(0, 12));
        }
        byte[] yaml = ("a: " + "{a: [".repeat(1 << 18)).getBytes(StandardCharsets.UTF_8);
        ProjectFolder folder = ProjectFolder.in(dir).file("connections.yml", yaml);
        folder.load();
        assertThat(folder.problems().isEmpty()).isFalse();
    }
}
