package dev.weir.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connector.Column;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which SELECTs do nothing but pick columns. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlainPickTest {

    private static final List<Column> COLUMNS =
            List.of(new Column("id", "BIGINT"), new Column("Note", "VARCHAR"), new Column("s", "STRUCT(id INTEGER)"));

    private DuckEngine engine;

    @BeforeAll
    void start(@TempDir Path folder) {
        engine = DuckEngine.start(EngineSettings.spillingTo(folder.resolve("spill")));
    }

    @AfterAll
    void close() {
        engine.close();
    }

    private Optional<Map<String, String>> picks(String select) {
        return engine.picks("p.sql", select.replace("{t}", "staging.\"pg.public.t\""), "pg.public.t", COLUMNS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT * FROM {t}                               | {id=id, Note=Note, s=s}",
                "FROM {t}                                        | {id=id, Note=Note, s=s}",
                "SELECT t.* FROM {t} t                           | {id=id, Note=Note, s=s}",
                "SELECT note AS n, id FROM {t} -- the end        | {n=Note, id=id}",
                "SELECT o.NOTE AS \"a b\", o.id FROM {t} AS O    | {a b=Note, id=id}",
                "SELECT id, id AS again FROM {t}                 | {id=id, again=id}",
                "SELECT \"pg.public.t\".id FROM {t}              | {id=id}",
                "SELECT *, id AS more FROM {t}                   | {id=id, Note=Note, s=s, more=id}"
            })
    void pickedColumnsAreTold(String select, String picked) {
        assertThat(picks(select).orElseThrow()).hasToString(picked);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM {t} WHERE true",
                "SELECT id + 0 AS id FROM {t}",
                "SELECT CAST(id AS BIGINT) AS id FROM {t}",
                "SELECT (id) AS id, 1 AS one FROM {t}",
                "SELECT DISTINCT id FROM {t}",
                "SELECT id FROM {t} ORDER BY id",
                "SELECT id FROM {t} LIMIT 5",
                "SELECT id FROM {t} GROUP BY id",
                "SELECT id FROM {t} GROUP BY ALL",
                "SELECT id FROM {t} QUALIFY true",
                "SELECT id FROM {t} HAVING true",
                "SELECT id FROM {t} USING SAMPLE 5",
                "SELECT id FROM {t} TABLESAMPLE 50%",
                "SELECT * EXCLUDE (id) FROM {t}",
                "SELECT * REPLACE (1 AS id) FROM {t}",
                "SELECT * RENAME (id AS x) FROM {t}",
                "SELECT * LIKE 'i%' FROM {t}",
                "SELECT COLUMNS('id') FROM {t}",
                "SELECT s.id FROM {t}",
                "SELECT s.id FROM {t} AS s",
                "SELECT unnest(s) FROM {t}",
                "SELECT rowid FROM {t}",
                "SELECT id FROM {t} AS t(x, id)",
                "SELECT id FROM (SELECT id FROM {t})",
                "WITH o AS (FROM {t}) SELECT id FROM o",
                "WITH o AS (SELECT 1) SELECT id FROM {t}",
                "SELECT id FROM {t} UNION ALL SELECT id FROM {t}",
                "SELECT a.id FROM {t} a, {t} b",
                "SELECT id FROM {t} a JOIN {t} b USING (id)",
                "SELECT id FROM staging.other",
                "SELECT *, id AS id FROM {t}"
            })
    void whateverDoesMoreIsNotPicking(String select) {
        assertThat(picks(select)).isEmpty();
    }
}
