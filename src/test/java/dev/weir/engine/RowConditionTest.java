package dev.weir.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.weir.connector.Column;
import dev.weir.connector.Staged;
import dev.weir.fault.RunException;
import dev.weir.fault.UsageException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Conditions on the rows of an output: what is one, and how rows are parted by it. */
class RowConditionTest {

    private static final List<Column> COLUMNS = List.of(
            new Column("id", "BIGINT"),
            new Column("Deleted", "BOOLEAN"),
            new Column("a \"b\"", "VARCHAR"),
            new Column("tags", "VARCHAR[]"),
            new Column("mood", "ENUM('sad', 'ok')"));
    private static final String PLACE = "pipelines/p.sql:1:60";

    @TempDir
    Path folder;

    private DuckEngine engine;

    @BeforeEach
    void start() {
        engine = DuckEngine.start(EngineSettings.spillingTo(folder.resolve("spill")));
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private List<String> ids(Staged staged) {
        return engine.peek(staged, 9).stream().map(row -> row.get(0)).sorted().toList();
    }

    private Parted part(Staged rows, String condition, String... columns) {
        return engine.part(PLACE, rows, condition, List.of(columns), "kept", "gone");
    }

    @Test
    void conditionsOnOneRowAreTaken() {
        for (String condition : List.of(
                "deleted",
                "output.\"Deleted\" AND id > 3 -- whatever it was",
                "\"a \"\"b\"\"\" = 'it''s' /* said */",
                "list_contains(tags, 'gone') OR len(list_filter(tags, lambda x: x = 'gone')) > 0",
                "mood = 'sad'",
                "CASE WHEN id > 3 THEN true END",
                "id IN (1, 2)\nOR id BETWEEN 7 AND 8",
                "true) OR (true")) {
            assertThatCode(() -> engine.bindCondition(PLACE, condition, COLUMNS))
                    .as(condition)
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void whatIsNoneIsRefusedWithoutItsColumns() {
        for (String condition : List.of(
                "deleted;",
                "deleted AS gone",
                "deleted), (id > 3",
                "deleted) FROM (SELECT 1",
                "true) WHERE (true",
                "true) UNION SELECT (true",
                "true); SELECT (true",
                "id IN (SELECT 1)",
                "EXISTS (FROM t)",
                "row_number() OVER () > 1",
                "id = ?",
                "id = $other",
                "#1 > 3",
                "*",
                "COLUMNS(*)",
                "deleted /*",
                "'gone")) {
            assertThat(catchThrowable(() -> engine.parseCondition(PLACE, condition)))
                    .as(condition)
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining("WR0215 " + PLACE + ": delete_when cannot be '" + condition + "': ");
        }
    }

    @Test
    void whatDoesNotBindToTheColumnsIsRefused() {
        List<List<String>> refused = List.of(
                List.of("delted", "WR0215", "\"delted\" not found"),
                List.of("rowid > 3", "WR0215", "\"rowid\" not found"),
                List.of("max(id) > 3", "WR0215", "aggregates"),
                List.of("unnest([true])", "WR0215", "UNNEST"),
                List.of("nonsense(id)", "WR0215", "nonsense"),
                List.of("id", "WR0210", "id is of type BIGINT"),
                List.of("'true'", "WR0210", "is of type VARCHAR"),
                List.of("NULL", "WR0210", "NULL is NULL"),
                List.of("deleted,", "WR0210", "is of type TUPLE"),
                List.of("-- nothing", "WR0210", "is of type TUPLE"));
        for (List<String> each : refused) {
            assertThat(catchThrowable(() -> engine.bindCondition(PLACE, each.get(0), COLUMNS)))
                    .as(each.get(0))
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining(each.get(1) + " " + PLACE)
                    .hasMessageContaining(each.get(2));
        }
    }

    @Test
    void rowsItIsTrueForArePartedFromTheOthers() {
        Staged rows = engine.run(
                "out",
                "SELECT * FROM (VALUES (1, true, 'a', 5), (2, false, 'b', 6),"
                        + " (3, NULL, 'c', 7), (4, true, 'd', 8)) v(id, deleted, \"_weir_gone\", o)");

        Parted parted = part(rows, "deleted -- by somebody", "id", "o");

        assertThat(parted.kept().columns()).isEqualTo(rows.columns());
        assertThat(ids(parted.kept())).containsExactly("2", "3");
        assertThat(parted.gone().orElseThrow().columns())
                .extracting(Column::name)
                .containsExactly("id", "o");
        assertThat(ids(parted.gone().orElseThrow())).containsExactly("1", "4");
        assertThat(part(rows, "id > 9", "id")).isEqualTo(new Parted(rows, java.util.Optional.empty()));
    }

    @Test
    void columnsThatWereNotPickedPlayNoPart() {
        engine.run(
                "src",
                "SELECT * FROM (VALUES (1, {'v': true}, false, false), (2, {'v': false}, true, true))"
                        + " s(id, output, v, \"_weir_gone\")");
        List<Column> columns = List.of(new Column("id", "INTEGER"), new Column("output", "STRUCT(v BOOLEAN)"));
        Staged rows = engine.pick("picked", "src", columns, Map.of("id", "id", "output", "output"), 2);
        engine.bindCondition(PLACE, "output.v", columns);

        Parted parted = part(rows, "output.v", "id");

        assertThat(ids(parted.kept())).containsExactly("2");
        assertThat(ids(parted.gone().orElseThrow())).containsExactly("1");
    }

    @Test
    void eachRowIsAskedOnce() {
        Staged rows = engine.run("out", "SELECT range AS id FROM range(10000)");

        Parted parted = part(rows, "random() < 0.5", "id");

        assertThat(parted.kept().rows() + parted.gone().orElseThrow().rows()).isEqualTo(10_000);
    }

    @Test
    void aRowItFailsForFailsTheRun() {
        Staged rows = engine.run("out", "SELECT 'none' AS v");

        assertThatThrownBy(() -> part(rows, "CAST(v AS BOOLEAN)", "v"))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0502 " + PLACE)
                .hasMessageContaining("delete_when: ")
                .hasMessageContaining("none");
    }
}
