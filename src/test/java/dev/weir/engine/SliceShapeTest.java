package dev.weir.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connector.Column;
import dev.weir.fault.UsageException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What needs more than one slice. {@code x} and {@code y} hold slices, {@code d} and {@code e} are read in full. */
class SliceShapeTest {

    private static final List<Column> COLUMNS = List.of(
            new Column("id", "BIGINT"),
            new Column("k", "BIGINT"),
            new Column("v", "BIGINT"),
            new Column("l", "BIGINT[]"),
            new Column("s", "VARCHAR"));
    private static final List<Column> FULL = List.of(new Column("k", "BIGINT"), new Column("w", "BIGINT"));
    private static final Map<String, List<Column>> SOURCES = Map.of("x", COLUMNS, "y", COLUMNS, "d", FULL, "e", FULL);

    private static DuckEngine engine;

    @BeforeAll
    static void start(@TempDir Path folder) {
        engine = DuckEngine.start(EngineSettings.spillingTo(folder.resolve("spill")));
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    private static SliceShape shape(String select) {
        return engine.shape("p.sql", select, SOURCES, Set.of("x", "y"));
    }

    private static String reasons(String select) {
        return String.join(
                "; ",
                shape(select).findings().stream()
                        .map(SliceShape.Finding::reason)
                        .toList());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '#', quoteCharacter = '`', textBlock = """
            SELECT count(*) FROM staging.x # count(*) is an aggregate above x
            SELECT sum(v) FROM staging.x # sum() is an aggregate above x
            SELECT SUM(v) FROM STAGING."X" # sum() is an aggregate above x
            SELECT count(*) FROM memory.staging.x # count(*) is an aggregate above x
            SELECT main.sum(v) FROM staging.x # sum() is an aggregate above x
            SELECT v.sum() FROM staging.x # sum() is an aggregate above x
            SELECT 1 + abs(max(v) - 2) FROM staging.x # max() is an aggregate above x
            SELECT geomean(v) FROM staging.x # geomean() is an aggregate above x
            SELECT weighted_avg(v, k) FROM staging.x # weighted_avg() is an aggregate above x
            SELECT first(v), last(v) FROM staging.x # first() is an aggregate above x; last() is an aggregate above x
            SELECT list_sum(list(v)) FROM staging.x # list() is an aggregate above x
            SELECT string_agg(DISTINCT s ORDER BY v) FROM staging.x # string_agg() is an aggregate above x
            SELECT count(*) FILTER (v > 1) FROM staging.x # count(*) is an aggregate above x
            SELECT v FROM staging.x GROUP BY v # GROUP BY stands above x
            SELECT v FROM staging.x GROUP BY ALL # GROUP BY stands above x
            SELECT v FROM staging.x GROUP BY GROUPING SETS ((v), ()) # GROUP BY stands above x
            SELECT v FROM staging.x GROUP BY CUBE (v, k) # GROUP BY stands above x
            SELECT 1 FROM staging.x HAVING count(*) > 1 # HAVING stands above x; count(*) is an aggregate above x
            SELECT DISTINCT v FROM staging.x # DISTINCT stands above x
            SELECT DISTINCT ON (k) v FROM staging.x # DISTINCT stands above x
            SELECT row_number() OVER () FROM staging.x # row_number() OVER is a window function above x
            SELECT sum(v) OVER w FROM staging.x WINDOW w AS (PARTITION BY k) # sum() OVER is a window function above x
            SELECT lag(v) OVER (ORDER BY k) FROM staging.x # lag() OVER is a window function above x
            SELECT v FROM staging.x QUALIFY row_number() OVER (PARTITION BY k ORDER BY v) = 1 # QUALIFY stands above x; row_number() OVER is a window function above x
            SELECT v FROM staging.x LIMIT 3 # LIMIT stands above x
            SELECT v FROM staging.x OFFSET 3 # LIMIT stands above x
            SELECT v FROM staging.x LIMIT 10% # LIMIT stands above x
            SELECT v FROM staging.x LIMIT (SELECT 3) # LIMIT stands above x
            SELECT v FROM staging.x USING SAMPLE 10% # SAMPLE stands above x
            SELECT v FROM staging.x TABLESAMPLE reservoir(20) # SAMPLE stands above x
            FROM staging.x PIVOT (sum(v) FOR k IN (1, 2)) # PIVOT stands above x
            SELECT * FROM staging.x UNION SELECT * FROM staging.y # UNION without ALL stands above x and y
            SELECT k FROM staging.x UNION SELECT k FROM staging.d # UNION without ALL stands above x
            SELECT k FROM staging.x UNION BY NAME SELECT k FROM staging.y # UNION without ALL stands above x and y
            SELECT k FROM staging.x EXCEPT SELECT k FROM staging.d # EXCEPT stands above x
            SELECT k FROM staging.d EXCEPT ALL SELECT k FROM staging.x # EXCEPT stands above x
            SELECT k FROM staging.x INTERSECT SELECT k FROM staging.d # INTERSECT stands above x
            SELECT k FROM staging.x UNION ALL SELECT k FROM staging.y LIMIT 3 # LIMIT stands above x and y
            (SELECT k FROM staging.x LIMIT 3) UNION ALL SELECT k FROM staging.y # LIMIT stands above x
            SELECT k FROM staging.x UNION ALL SELECT k FROM staging.d # a side of UNION ALL reads no incremental source, so that its rows come again with each slice of x
            SELECT k FROM staging.x UNION ALL SELECT 0 # a side of UNION ALL reads no incremental source, so that its rows come again with each slice of x
            SELECT * FROM staging.x JOIN staging.y USING (id) # a join of x with y meets only rows of the same slice
            SELECT * FROM staging.x a JOIN staging.x b ON a.id = b.k # a join of x with x meets only rows of the same slice
            SELECT * FROM staging.x, staging.y WHERE x.id = y.id # a join of x with y meets only rows of the same slice
            SELECT * FROM staging.x NATURAL JOIN staging.y # a join of x with y meets only rows of the same slice
            SELECT * FROM staging.x, LATERAL (SELECT * FROM staging.y WHERE y.k = x.k) # a join of x with y meets only rows of the same slice
            SELECT * FROM staging.d LEFT JOIN staging.x USING (k) # a LEFT join compares all rows of its other side with one slice of x
            SELECT * FROM staging.x RIGHT JOIN staging.d USING (k) # a RIGHT join compares all rows of its other side with one slice of x
            SELECT * FROM staging.x FULL JOIN staging.d USING (k) # a FULL join compares all rows of its other side with one slice of x
            SELECT * FROM staging.d SEMI JOIN staging.x USING (k) # a SEMI join compares all rows of its other side with one slice of x
            SELECT * FROM staging.d ANTI JOIN staging.x USING (k) # a ANTI join compares all rows of its other side with one slice of x
            SELECT * FROM staging.d ASOF JOIN staging.x ON d.k >= x.k # an ASOF join looks for the nearest row in one slice of x
            SELECT * FROM staging.x POSITIONAL JOIN staging.d # a POSITIONAL join pairs rows of a slice of x by their places
            SELECT * FROM staging.d WHERE k IN (SELECT k FROM staging.x) # a subquery in an expression stands above x
            SELECT * FROM staging.x WHERE k IN (SELECT k FROM staging.y) # a subquery in an expression stands above y
            SELECT * FROM staging.x WHERE NOT EXISTS (FROM staging.y WHERE y.k = x.k) # a subquery in an expression stands above y
            SELECT *, (SELECT max(v) FROM staging.y) FROM staging.d # a subquery in an expression stands above y; max() is an aggregate above y
            SELECT (SELECT sum(x.v)) FROM staging.x # sum() is an aggregate above x
            SELECT (SELECT sum(v) FROM staging.d) FROM staging.x # sum() is an aggregate above x
            SELECT array(SELECT v FROM staging.x) # a subquery in an expression stands above x; array_agg() is an aggregate above x; array_agg() is an aggregate above x
            SELECT * FROM (SELECT k, count(*) FROM staging.x GROUP BY k) # count(*) is an aggregate above x; GROUP BY stands above x
            SELECT k, count(*) FROM (SELECT * FROM staging.x WHERE v > 1) t GROUP BY k # count(*) is an aggregate above x; GROUP BY stands above x
            WITH c AS (SELECT * FROM staging.x) SELECT count(*) FROM c # count(*) is an aggregate above x
            WITH c AS MATERIALIZED (SELECT * FROM staging.x) FROM c a JOIN C b USING (id) # a join of x with x meets only rows of the same slice
            WITH c AS (FROM staging.x), b AS (FROM c) SELECT DISTINCT k FROM b # DISTINCT stands above x
            WITH c AS (SELECT count(*) FROM staging.x) SELECT 1 # count(*) is an aggregate above x
            WITH c AS (FROM staging.d) SELECT count(*) FROM (WITH c AS (FROM staging.x) FROM c) # count(*) is an aggregate above x
            WITH c AS (FROM staging.d) SELECT count(*) FROM staging.x, c # count(*) is an aggregate above x
            WITH x AS (FROM staging.d) SELECT count(*) FROM staging.x # count(*) is an aggregate above x
            WITH RECURSIVE c AS (SELECT id, 1 AS n FROM staging.x UNION SELECT id, n + 1 FROM c WHERE n < 3) FROM c # UNION without ALL stands above x
            WITH RECURSIVE c AS (SELECT id, 1 AS n FROM staging.x UNION ALL SELECT c.id, n + 1 FROM c JOIN staging.x ON x.k = c.id) FROM c # a join of x with x meets only rows of the same slice
            WITH RECURSIVE c AS (SELECT 0 AS id UNION ALL SELECT x.id FROM c JOIN staging.x ON x.k = c.id) FROM c # a side of UNION ALL reads no incremental source, so that its rows come again with each slice of x
            SELECT rowid, v FROM staging.x # rowid numbers the rows of one slice above x
            SELECT * FROM query('FROM staging.x') # weir cannot tell which rows query() reads
            SELECT * FROM query_table('d') # weir cannot tell which rows query_table() reads
            SELECT * FROM histogram(d, k) # weir cannot tell which rows histogram() reads
            SELECT nonsense(v) FROM staging.x # weir does not know whether nonsense() looks at more than one row
            SELECT row_number() FROM staging.x # weir does not know whether row_number() looks at more than one row
            SUMMARIZE staging.x # weir does not know what SHOW_REF does with the rows of a slice
            WITH c AS (INSERT INTO t SELECT * FROM staging.x RETURNING *) FROM c # weir does not know what INSERT_QUERY_NODE does with the rows of a slice
            SELECT * FROM staging.x AT (VERSION => 3) # weir does not know what at_clause does with the rows of a slice
            """)
    void needsMoreThanASlice(String select, String reasons) {
        assertThat(reasons(select)).isEqualTo(reasons);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT count(*), sum(w) FROM staging.d",
                "SELECT DISTINCT k FROM staging.d ORDER BY k LIMIT 3",
                "SELECT * FROM staging.d JOIN staging.e USING (k)",
                "SELECT k FROM staging.d UNION SELECT k FROM staging.e",
                "SELECT row_number() OVER () FROM staging.d",
                "VALUES (1, 2), (3, 4)",
                "SELECT sum(q) FROM (VALUES (1)) t(q)",
                "SELECT count(*) FROM range(10)",
                "WITH x AS (FROM staging.d) SELECT count(*) FROM x",
                "SELECT count(*) FROM other.x"
            })
    void whatReadsNoSliceNeedsNoMore(String select) {
        assertThat(shape(select).findings()).isEmpty();
        assertThat(shape(select).reads()).isEmpty();
    }

    @Test
    void saysWhatItReadsWhereverThatIs() {
        assertThat(shape("SELECT 1").reads()).isEmpty();
        assertThat(shape("FROM staging.\"X\"").reads()).containsExactly("x");
        assertThat(shape("WITH c AS (FROM staging.x) SELECT 1 WHERE EXISTS (FROM staging.y)")
                        .reads())
                .containsExactlyInAnyOrder("x", "y");
        assertThat(shape("SUMMARIZE staging.x").reads()).containsExactly("x");
    }

    @Test
    void findingsStandInTheOrderOfTheTextAndNameTheirPlaces() {
        assertThat(shape("SELECT k,\n  'ä' || count(*)\nFROM (SELECT DISTINCT k FROM staging.x)\nGROUP BY k\nLIMIT 3")
                        .findings())
                .containsExactly(
                        new SliceShape.Finding("p.sql:2:10", "count(*) is an aggregate above x"),
                        new SliceShape.Finding("p.sql:3:23", "DISTINCT stands above x"),
                        new SliceShape.Finding("p.sql:4:10", "GROUP BY stands above x"),
                        new SliceShape.Finding("p.sql:5:7", "LIMIT stands above x"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"SELEC 1", "SELECT 1; SELECT 2", "DELETE FROM staging.x", "PIVOT staging.x ON k USING sum(v)"})
    void whatIsNotOneSelectIsAnError(String sql) {
        assertThatThrownBy(() -> shape(sql)).isInstanceOf(UsageException.class).hasMessageContaining("WR0215");
    }
}
