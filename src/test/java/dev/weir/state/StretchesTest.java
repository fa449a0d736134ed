package dev.weir.state;

import static dev.weir.state.Samples.BIGINT;
import static dev.weir.state.Samples.KEY;
import static dev.weir.state.Samples.NOW;
import static dev.weir.state.Samples.SOURCE;
import static dev.weir.state.Samples.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Position;
import dev.weir.slicing.PositionKey;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StretchesTest {

    private static final Cursor CURSOR = new Cursor("id", BIGINT);

    @TempDir
    Path project;

    private StateStore store;

    @BeforeEach
    void open() {
        store = Samples.open(project.resolve(".weir"));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static Moved slice(
            PositionKey key, long generation, Cursor cursor, @Nullable Long from, long to, String run) {
        CursorValue end = cursor.type().units(to);
        CursorValue start = from == null ? null : cursor.type().units(from);
        Position position = new Position(cursor, generation, null, end, null, run, NOW.plusSeconds(to));
        return new Moved(key, position, new Stretch(start, false, end, 5));
    }

    private static Moved slice(@Nullable Long from, long to, String run) {
        return slice(KEY, 0, CURSOR, from, to, run);
    }

    private static CursorRange above(long from, long to) {
        return CursorRange.above(BIGINT.units(from), BIGINT.units(to));
    }

    @Test
    void slicesThatBeginWhereTheLastOneEndedAreOneStretch() {
        store.save(List.of(slice(null, 10, "r1")));
        store.save(List.of(slice(10L, 20, "r1"), slice(20L, 30, "r2")));
        assertThat(store.stretches("shop", SOURCE))
                .containsExactly(new LoadedStretch(
                        KEY,
                        0,
                        CURSOR,
                        null,
                        true,
                        BIGINT.units(30),
                        "r1",
                        "r2",
                        NOW.plusSeconds(10),
                        NOW.plusSeconds(30),
                        3,
                        15));
        assertThat(store.stretches("shop", SOURCE).get(0).range())
                .isEqualTo(CursorRange.startingAt(BIGINT.least(), BIGINT.units(30)));
        assertThat(store.stretchesOf("shop", "orders_out")).isEqualTo(store.stretches("shop", SOURCE));
    }

    @Test
    void whatDoesNotFollowIsAStretchOfItsOwn() {
        store.save(List.of(slice(0L, 10, "r1"), slice(11L, 20, "r1"), slice(9L, 12, "r1"), slice(10L, 11, "r1")));
        assertThat(store.stretches("shop", SOURCE))
                .extracting(LoadedStretch::range)
                .containsExactly(above(0, 10), above(11, 20), above(9, 12), above(10, 11));
    }

    @Test
    void aSliceThatHoldsItsLowerEndProlongsNothing() {
        store.save(List.of(slice(0L, 10, "r1")));
        Position there = slice(10L, 20, "r1").position();
        store.save(List.of(new Moved(KEY, there, new Stretch(BIGINT.units(10), true, BIGINT.units(20), 5))));
        assertThat(store.stretches("shop", SOURCE))
                .extracting(LoadedStretch::range)
                .containsExactly(above(0, 10), CursorRange.startingAt(BIGINT.units(10), BIGINT.units(20)));
    }

    @Test
    void sinksGenerationsAndCursorsAreKeptApart() {
        Cursor seq = new Cursor("seq", BIGINT);
        Cursor narrow = new Cursor("id", CursorType.of(CursorType.Kind.INTEGER));
        store.save(List.of(slice(0L, 10, "r1")));
        store.save(List.of(slice(key("lake.b"), 0, CURSOR, 10L, 20, "r1")));
        store.save(List.of(slice(KEY, 1, CURSOR, 10L, 20, "r1")));
        store.save(List.of(slice(KEY, 0, seq, 10L, 20, "r1")));
        store.save(List.of(slice(KEY, 0, narrow, 20L, 30, "r1")));
        store.save(List.of(slice(KEY, 1, CURSOR, 20L, 30, "r1")));
        PositionKey elsewhere = new PositionKey("other", "orders_out", "lake.orders_synced", SOURCE);
        store.save(List.of(slice(elsewhere, 1, CURSOR, 30L, 40, "r1")));
        assertThat(store.stretches("shop", SOURCE))
                .extracting(LoadedStretch::generation, one -> one.cursor(), LoadedStretch::slices)
                .containsExactly(
                        tuple(0L, CURSOR, 1L),
                        tuple(0L, CURSOR, 1L),
                        tuple(1L, CURSOR, 2L),
                        tuple(0L, seq, 1L),
                        tuple(0L, narrow, 1L));
        assertThat(store.stretches("other", SOURCE)).hasSize(1);
    }

    @Test
    void aMoveThatLoadedNothingLeavesNoStretch() {
        store.save(List.of(Samples.moved("lake.a", 10, "r1")));
        assertThat(store.stretches("shop", SOURCE)).isEmpty();
        assertThat(store.positions("shop", SOURCE)).hasSize(1);
    }

    @Test
    void aStretchThatIsWrongLeavesItsMoveUnwritten() {
        CursorValue date = CursorType.of(CursorType.Kind.DATE).units(1);
        Moved wrong = new Moved(KEY, slice(0L, 10, "r1").position(), new Stretch(null, true, date, 1));
        assertThatThrownBy(() -> store.save(List.of(wrong))).isInstanceOf(IllegalArgumentException.class);
        assertThat(store.positions("shop", SOURCE)).isEmpty();
    }

    @Test
    void hundredsOfSlicesAreOneRow() {
        for (long value = 0; value < 300; value++) {
            store.save(List.of(slice(value, value + 1, "r" + value)));
        }
        assertThat(store.stretches("shop", SOURCE)).hasSize(1).allSatisfy(one -> {
            assertThat(one.slices()).isEqualTo(300);
            assertThat(one.rows()).isEqualTo(1_500);
            assertThat(one.range()).isEqualTo(above(0, 300));
        });
    }
}
