package dev.weir.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connector.Staged;
import dev.weir.fault.RunException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyCheckTest {

    private static final List<String> ID = List.of("id");

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

    @Test
    void handsOnWhatHoldsEachKeyOnce() {
        Staged staged = engine.run("out", "SELECT range AS id FROM range(1000)");

        assertThat(check(staged, ID, Optional.empty())).isEqualTo(new Keyed(staged, 0, 0));
    }

    @Test
    void whatWasComparedAheadIsNotLookedAtAgain() {
        Staged staged = engine.run(
                "out",
                "SELECT * FROM (VALUES (1, 'a', 1, NULL), (2, 'a', 2, 1), (3, 'b', 1, 2)) v(id, name, n, maybe)");
        StagedSource source = new StagedSource(staged.relation(), staged.columns(), staged.rows(), Optional.empty());

        Set<List<String>> unique = engine.compared(
                        source,
                        Set.of(ID, List.of("name"), List.of("n", "name"), List.of("maybe"), List.of("id", "maybe")))
                .unique();

        assertThat(unique).containsExactlyInAnyOrder(ID, List.of("n", "name"));
        Staged known = staged.withUnique(unique);
        engine.drop("out");
        assertThat(check(known, ID, Optional.empty())).isEqualTo(new Keyed(known, 0, 0));
        assertThatThrownBy(() -> check(known, List.of("name"), Optional.empty()))
                .isInstanceOf(RunException.class);
    }

    @Test
    void refusesANullInAnyKeyColumn() {
        Staged staged = engine.run("out", "SELECT * FROM (VALUES (NULL, 'onion', 5), ('a', 'b', 1)) v(type, name, n)");

        assertThatThrownBy(() -> check(staged, List.of("name", "type"), Optional.of("n")))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0521 lake.out: NULL in key column type (1 row)");
    }

    @Test
    void keepsTheRowThatStandsHighest() {
        Staged staged = engine.run(
                "out",
                "SELECT * FROM (VALUES (7, 1, TIMESTAMP '2026-01-01 10:00:00'), (7, 2, TIMESTAMP '2026-01-01"
                        + " 10:05:00'), (7, 3, NULL), (8, 4, NULL)) v(id, amount, updated_at)");

        Keyed keyed = check(staged, ID, Optional.of("updated_at"));

        assertThat(rows(keyed)).containsExactlyInAnyOrder("[7, 2, 2026-01-01 10:05:00]", "[8, 4, null]");
        assertThat(keyed.duplicateGroups()).isEqualTo(1);
        assertThat(keyed.extraRows()).isEqualTo(2);
        assertThat(keyed.rows().rows()).isEqualTo(2);
        assertThat(keyed.rows().columns()).isEqualTo(staged.columns());
    }

    @Test
    void equalRowsCollapseWithAndWithoutAnOrder() {
        Staged staged = engine.run("out", "SELECT * FROM (VALUES (1, [1, NULL]), (1, [1, NULL]), (2, NULL)) v(id, l)");

        assertThat(rows(check(staged, ID, Optional.empty()))).containsExactlyInAnyOrder("[1, [1, NULL]]", "[2, null]");
        assertThat(rows(check(staged, ID, Optional.of("l")))).hasSize(2);
    }

    @Test
    void differentRowsThatStandEquallyHighAreAnError() {
        Staged staged = engine.run(
                "out",
                "SELECT * FROM (VALUES (7, 'x', 1, 5), (7, 'x', 2, 5), (8, 'y', 1, 1), (8, 'y', 2, 1)) v(a, b, c, o)");

        assertThatThrownBy(() -> check(staged, List.of("a", "b"), Optional.of("o")))
                .isInstanceOf(RunException.class)
                .hasMessageContaining(
                        "WR0522 lake.out: 2 different rows of one slice have the key a = 7, b = x and the same o, and"
                                + " so have 1 more keys");
    }

    @Test
    void differentRowsWithoutAnOrderAreAnError() {
        Staged staged = engine.run("out", "SELECT * FROM (VALUES (7, 1), (7, 2)) v(id, c)");

        assertThatThrownBy(() -> check(staged, ID, Optional.empty()))
                .hasMessageContaining("the key id = 7")
                .hasMessageContaining("order_by");
    }

    /** Against a row-by-row model: each key's greatest order stays, and a tie of different rows is an error. */
    @Test
    void agreesWithARowByRowModel() {
        Random random = new Random(20260101);
        for (int round = 0; round < 60; round++) {
            List<String> values = new ArrayList<>();
            Map<Integer, Integer> highest = new HashMap<>();
            Map<Integer, Set<String>> standing = new HashMap<>();
            int rows = 1 + random.nextInt(12);
            for (int i = 0; i < rows; i++) {
                int key = random.nextInt(6);
                int order = random.nextInt(5) - 1;
                int value = random.nextInt(2);
                String row = "(" + key + ", " + (order < 0 ? "NULL" : order) + ", " + value + ")";
                values.add(row);
                int former = highest.getOrDefault(key, Integer.MIN_VALUE);
                if (order > former) {
                    standing.put(key, new HashSet<>());
                    highest.put(key, order);
                }
                if (order >= former) {
                    standing.get(key).add("[" + key + ", " + (order < 0 ? "null" : order) + ", " + value + "]");
                }
            }
            Staged staged = engine.run(
                    "out", "SELECT id, o::INTEGER AS o, v FROM (VALUES " + String.join(", ", values) + ") t(id, o, v)");
            if (standing.values().stream().anyMatch(tied -> tied.size() > 1)) {
                assertThatThrownBy(() -> check(staged, ID, Optional.of("o"))).hasMessageContaining("WR0522");
            } else {
                assertThat(rows(check(staged, ID, Optional.of("o"))))
                        .containsExactlyInAnyOrderElementsOf(
                                standing.values().stream().flatMap(Set::stream).collect(Collectors.toList()));
            }
        }
    }

    private Keyed check(Staged staged, List<String> keys, Optional<String> orderBy) {
        return engine.checkKeys("lake.out", "out unique", staged, keys, orderBy);
    }

    private List<String> rows(Keyed keyed) {
        List<String> rows = new ArrayList<>();
        try (Connection connection = engine.connect();
                ResultSet result = connection
                        .createStatement()
                        .executeQuery("SELECT * FROM " + keyed.rows().relation())) {
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    String text = result.getString(i);
                    row.add(text == null ? "null" : text.replaceAll("\\.0$", ""));
                }
                rows.add(row.toString());
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return rows;
    }
}
