package dev.weir.connector.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connector.SinkTransaction;
import dev.weir.connector.SinkTransaction.Written;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.Staged;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of other programs' making, whose triggers and names could lose rows on their way into them. */
class SqliteTablesTest extends SqliteSinkBench {

    @Test
    void aTriggerThatDropsRowsIsNoticed() {
        execute("CREATE TABLE t (id INT4)");
        execute("CREATE TRIGGER g BEFORE INSERT ON t WHEN new.id = 2 BEGIN SELECT RAISE(IGNORE); END");

        assertThatThrownBy(() -> write(rows("SELECT * FROM (VALUES (1), (2)) v(id)"), APPEND))
                .hasMessageContaining("WR0503 sys.t")
                .hasMessageContaining("1 of 2 rows");
        assertThat(query("SELECT id FROM t")).isEmpty();
    }

    /** An upsert that a trigger drops looks like a stored row that is newer. */
    @ParameterizedTest
    @ValueSource(strings = {" PRIMARY KEY", ""})
    void aTriggerThatDropsRowsOfAMergeIsNoticed(String key) {
        for (String event : List.of("INSERT", "UPDATE")) {
            for (SinkWrite how : List.of(merge("id"), mergeBy("o", "id"))) {
                execute("DROP TABLE IF EXISTS t");
                execute("CREATE TABLE t (id INT4" + key + ", o INT4)");
                execute("INSERT INTO t VALUES (1, 1), (9, 9)");
                execute("CREATE TRIGGER g BEFORE " + event + " ON t BEGIN SELECT raise(ignore); END");

                assertThatThrownBy(() -> write(rows("SELECT * FROM (VALUES (1, 5), (2, 5), (9, 5)) v(id, o)"), how))
                        .as(event + key + how)
                        .hasMessageContaining("WR0503 sys.t")
                        .hasMessageContaining("rows were taken by the table");
                assertThat(query("SELECT * FROM t ORDER BY id")).containsExactly("1|1", "9|9");
            }
        }
    }

    @Test
    void aTriggerThatDropsNothingDoesNotStandInTheWayOfAMerge() {
        execute("CREATE TABLE t (id INT4 PRIMARY KEY, o INT4)");
        execute("INSERT INTO t VALUES (1, 1), (9, 9)");
        execute("CREATE TRIGGER g BEFORE INSERT ON t WHEN new.id < 0 BEGIN SELECT RAISE(IGNORE); END");

        Written written = write(rows("SELECT * FROM (VALUES (1, 5), (2, 5), (9, 5)) v(id, o)"), mergeBy("o", "id"));

        assertThat(written).isEqualTo(new Written(2, 1));
        assertThat(query("SELECT * FROM t ORDER BY id")).containsExactly("1|5", "2|5", "9|9");
    }

    @Test
    void aTriggerThatKeepsRowsFromBeingDeletedIsNoticed() {
        execute("CREATE TABLE t (id INT4)");
        execute("INSERT INTO t VALUES (1), (2)");
        execute("CREATE TRIGGER g BEFORE DELETE ON t WHEN old.id = 2 BEGIN SELECT RAISE(IGNORE); END");
        CursorType type = CursorType.of(CursorType.Kind.INTEGER);

        for (SinkWrite how : List.of(
                new SinkWrite.Replace(),
                new SinkWrite.Window("id", CursorRange.above(type.parse("0"), type.parse("9"))))) {
            assertThatThrownBy(() -> write(rows("SELECT * FROM (VALUES (1), (2)) v(id)"), how))
                    .hasMessageContaining("WR0503 sys.t")
                    .hasMessageContaining("still in the table");
            assertThat(query("SELECT id FROM t ORDER BY id")).containsExactly("1", "2");
        }
        Staged gone = rows("SELECT * FROM (VALUES (1), (2)) v(id)");
        try (SinkTransaction transaction = sink.begin()) {
            assertThatThrownBy(() -> transaction.delete(T, gone, merge("id")))
                    .hasMessageContaining("WR0503 sys.t")
                    .hasMessageContaining("still in the table");
        }
        assertThat(query("SELECT id FROM t ORDER BY id")).containsExactly("1", "2");
    }

    @Test
    void aKeyIsDeletedByItsOwnLettersWhateverTheTableTakesForOne() {
        execute("CREATE TABLE t (k TEXT COLLATE NOCASE, n TEXT, v TEXT, UNIQUE (k, n))");
        execute("INSERT INTO t VALUES ('a', '1', 'gone'), ('B', '1', 'stays')");
        Staged gone = rows("SELECT * FROM (VALUES ('a', '1'), ('b', '1'), ('B', '01')) v(k, n)");
        try (SinkTransaction transaction = sink.begin()) {
            assertThat(transaction.delete(T, gone, merge("k", "n"))).isEqualTo(new Written(0, 0, 1));
            transaction.commit();
        }
        assertThat(query("SELECT * FROM t")).containsExactly("B|1|stays");
    }

    @Test
    void aColumnThatIsCalledRowidNumbersNothing() {
        execute("CREATE TABLE t (id INT4, rowid INT4, v TEXT)");
        execute("INSERT INTO t VALUES (1, 7, 'old')");

        write(rows("SELECT * FROM (VALUES (1, 7, 'new'), (2, 7, 'first')) v(id, rowid, v)"), merge("id"));

        assertThat(query("SELECT id, rowid, v FROM t ORDER BY id")).containsExactly("1|7|new", "2|7|first");
    }

    @Test
    void aStoredKeyBeyondTheNanosecondsOfDuckDbIsSpelledAllTheSame() {
        execute("CREATE TABLE t (k TIMESTAMP_NS PRIMARY KEY, v TEXT)");
        execute("INSERT INTO t VALUES ('9999-12-31 00:00:00.000000000', 'far')");

        write(rows("SELECT make_timestamp_ns(1) AS k, 'new' AS v"), merge("k"));

        assertThat(query("SELECT v FROM t ORDER BY k")).containsExactly("new", "far");
    }
}
