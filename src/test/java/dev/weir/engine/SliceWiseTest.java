package dev.weir.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connector.Column;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * SQL that works row by row has no finding, and rightly so: run on the slices of {@code x} and {@code y} one after the other
 * it gives the rows it gives on all of them.
 */
class SliceWiseTest {

    private static final List<Column> COLUMNS = List.of(
            new Column("id", "BIGINT"),
            new Column("k", "BIGINT"),
            new Column("v", "BIGINT"),
            new Column("l", "BIGINT[]"),
            new Column("s", "VARCHAR"));
    private static final List<Column> FULL = List.of(new Column("k", "BIGINT"), new Column("w", "BIGINT"));
    private static final Map<String, List<Column>> SOURCES = Map.of("x", COLUMNS, "y", COLUMNS, "d", FULL);

    /** What can be said of the columns of {@code t}. */
    private static final List<String> PROJECTIONS = List.of(
            "*",
            "t.id, t.v * 2 AS twice, -t.v, t.v ** 2, t.s || '!' AS loud",
            "CASE WHEN v > 3 THEN 'big' WHEN v IS NULL THEN 'none' ELSE s END AS c, coalesce(v, 0), nullif(v, 2)",
            "CAST(v AS VARCHAR), v::DOUBLE, try_cast(s AS INTEGER), s COLLATE nocase",
            "list_sum(l), list_aggregate(l, 'max'), list_transform(l, lambda q: q + v), [q * 2 FOR q IN l IF q > 1]",
            "id, unnest(l) AS one",
            "{'a': id, 'b': l}, [id, v], l[1], l[1:2], row(id, s), MAP {s: v}",
            "* EXCLUDE (l) REPLACE (v + 1 AS v)",
            "COLUMNS(lambda c: c LIKE 'i%')",
            "v BETWEEN 1 AND 4 AS b, v IN (1, 2), s LIKE 'a%', s SIMILAR TO 'a.*', v IS DISTINCT FROM 3, NOT (v > 2)",
            "if(v > 2, 'y', 'n'), ifnull(v, 7), greatest(v, k), hash(id), DATE '2026-01-01' + INTERVAL (id) DAY AS day",
            "id, (SELECT sum(q) FROM unnest(l) u(q)) AS total",
            "id, (SELECT max(w) FROM staging.d) AS most, (SELECT count(*) FROM staging.d WHERE d.w > t.v) AS higher",
            "id, t.v IN (SELECT w FROM staging.d) AS known, EXISTS (FROM staging.d WHERE d.k = t.k) AS there");

    /** Where the rows of {@code t} come from. */
    private static final List<String> FROMS = List.of(
            "staging.x t",
            "staging.\"X\" AS t(id, k, v, l, s)",
            "(SELECT * FROM staging.x WHERE v > 1 ORDER BY v) t",
            "(SELECT * FROM staging.x UNION ALL SELECT * FROM staging.y) t",
            "(FROM staging.x UNION ALL BY NAME FROM staging.y) t",
            "(SELECT x.* FROM staging.x JOIN staging.d USING (k)) t",
            "(SELECT x.* FROM staging.x LEFT JOIN staging.d USING (k)) t",
            "(SELECT x.* FROM staging.d RIGHT JOIN staging.x USING (k)) t",
            "(SELECT x.* FROM staging.x SEMI JOIN staging.d USING (k)) t",
            "(SELECT x.* FROM staging.x ANTI JOIN staging.d USING (k)) t",
            "(SELECT x.* FROM staging.x, staging.d WHERE d.k < x.k) t",
            "(SELECT x.* FROM staging.x CROSS JOIN (VALUES (1), (2)) two(n)) t",
            "(SELECT x.* FROM staging.x ASOF LEFT JOIN staging.d ON x.k >= d.k) t",
            "(SELECT x.* FROM staging.x, unnest(x.l) u(q)) t",
            "(SELECT x.* FROM staging.x LEFT JOIN (SELECT k, sum(w) AS sw FROM staging.d GROUP BY k) USING (k)) t",
            "(WITH c AS (FROM staging.x), f AS (SELECT DISTINCT k FROM staging.d) SELECT c.* FROM c JOIN f USING (k)) t",
            "(SELECT x.* FROM staging.x, LATERAL (SELECT w FROM staging.d WHERE d.k = x.k) j) t",
            "(WITH RECURSIVE c AS (FROM staging.x UNION ALL SELECT id, k, v - 1, l, s FROM c WHERE v > 0) FROM c) t");

    private static final List<String> FILTERS =
            List.of("", " WHERE v > 2", " WHERE s <> 'b' AND v IS NOT NULL", " WHERE v IN (SELECT w FROM staging.d)");

    private static DuckEngine engine;
    private static Connection connection;

    @BeforeAll
    static void start(@TempDir Path folder) throws SQLException {
        engine = DuckEngine.start(EngineSettings.spillingTo(folder.resolve("spill")));
        connection = engine.connect();
        execute("CREATE TABLE staging.d AS SELECT * FROM (VALUES (1, 1), (2, 3), (2, 4), (7, 2)) t(k, w)");
        for (String table : List.of("x", "y")) {
            execute("CREATE TABLE all_" + table
                    + " AS SELECT i AS id, i % 4 AS k, nullif(i % 7, 5) AS v, [i, i % 3] AS l,"
                    + " chr((97 + i % 3)::INTEGER) AS s FROM range(1, 24) t(i)");
        }
    }

    @AfterAll
    static void close() throws SQLException {
        connection.close();
        engine.close();
    }

    private static void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void slice(String condition) throws SQLException {
        for (String table : List.of("x", "y")) {
            execute("CREATE OR REPLACE TABLE staging." + table + " AS FROM all_" + table + " WHERE " + condition);
        }
    }

    private static List<String> rows(String select) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(select)) {
            while (result.next()) {
                StringBuilder row = new StringBuilder();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    row.append(result.getString(i)).append('|');
                }
                rows.add(row.toString());
            }
        }
        return rows;
    }

    private static void isRightSliceBySlice(List<String> selects) throws SQLException {
        List<List<String>> whole = new ArrayList<>();
        List<List<String>> parts = new ArrayList<>();
        slice("true");
        for (String select : selects) {
            SliceShape shape = engine.shape("p.sql", select, SOURCES, Set.of("x", "y"));
            assertThat(shape.findings()).as(select).isEmpty();
            assertThat(shape.reads()).as(select).contains("x");
            whole.add(rows(select));
            parts.add(new ArrayList<>());
        }
        for (String condition : List.of("id <= 9", "id > 9 AND id <= 16", "id > 16")) {
            slice(condition);
            for (int i = 0; i < selects.size(); i++) {
                parts.get(i).addAll(rows(selects.get(i)));
            }
        }
        for (int i = 0; i < selects.size(); i++) {
            assertThat(parts.get(i)).as(selects.get(i)).containsExactlyInAnyOrderElementsOf(whole.get(i));
        }
    }

    /** Every projection over every kind of FROM, the filters in turn. */
    @Test
    void sqlThatWorksRowByRowIsRightSliceBySlice() throws SQLException {
        List<String> selects = new ArrayList<>();
        for (String projection : PROJECTIONS) {
            for (String from : FROMS) {
                selects.add("SELECT " + projection + " FROM " + from + FILTERS.get(selects.size() % FILTERS.size()));
            }
        }
        isRightSliceBySlice(selects);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TABLE staging.x",
                "FROM staging.x ORDER BY v LIMIT ALL",
                "UNPIVOT (SELECT id, k, v FROM staging.x) ON k, v INTO NAME n VALUE q",
                "SELECT * FROM (SELECT id, k, v FROM staging.x) UNPIVOT INCLUDE NULLS (q FOR n IN (k, v))",
                "SELECT x.id, n FROM staging.x, generate_series(1, x.k) g(n)",
                "SELECT id, (SELECT max(w) FROM staging.d WHERE k = x.k) FROM staging.x",
                "SELECT id FROM staging.x WHERE k = (SELECT min(k) FROM staging.d)",
                "SELECT id, d.n FROM staging.x JOIN (SELECT k, count(*) AS n FROM staging.d GROUP BY k) d USING (k)",
                "SELECT id, r FROM staging.x JOIN (SELECT k, row_number() OVER (ORDER BY w) r FROM staging.d) d USING (k)",
                "SELECT * FROM staging.x WHERE k NOT IN (SELECT k FROM staging.d UNION SELECT 3)"
            })
    void soIsWhatLooksAtMoreThanARowOfAFullSourceOrOfItself(String select) throws SQLException {
        isRightSliceBySlice(List.of(select));
    }
}
