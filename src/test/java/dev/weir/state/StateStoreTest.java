package dev.weir.state;

import static dev.weir.state.Samples.KEY;
import static dev.weir.state.Samples.NOW;
import static dev.weir.state.Samples.SOURCE;
import static dev.weir.state.Samples.at;
import static dev.weir.state.Samples.key;
import static dev.weir.state.Samples.moved;
import static dev.weir.state.Samples.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.PositionKey;
import dev.weir.slicing.Reconciliation.Refresh;
import dev.weir.slicing.Step;
import dev.weir.slicing.Target;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateStoreTest {

    @TempDir
    Path project;

    private Path weirDir() {
        return project.resolve(".weir");
    }

    @Test
    void whatWasSavedIsThereWhenOpenedAgain() {
        try (StateStore store = open(weirDir())) {
            store.save(List.of(moved("lake.a", 10, "r1"), moved("lake.b", 20, "r1")));
        }
        try (StateStore store = open(weirDir())) {
            assertThat(store.positions("shop", SOURCE))
                    .isEqualTo(Map.of(key("lake.a"), at(10L, "r1"), key("lake.b"), at(20L, "r1")));
            assertThat(store.allPositions("shop")).isEqualTo(store.positions("shop", SOURCE));
        }
    }

    @Test
    void projectsAndSourcesAreKeptApart() {
        try (StateStore store = open(weirDir())) {
            PositionKey other = new PositionKey("other", "orders_out", "lake.a", SOURCE);
            PositionKey neighbour = new PositionKey("shop", "orders_out", "lake.a", "pg_prod.public.customers");
            store.save(List.of(
                    moved("lake.a", 10, "r1"), new Moved(other, at(11L, "r1")), new Moved(neighbour, at(12L, "r1"))));
            assertThat(store.positions("shop", SOURCE)).isEqualTo(Map.of(key("lake.a"), at(10L, "r1")));
            assertThat(store.allPositions("shop")).hasSize(2);
            assertThat(store.allPositions("other")).isEqualTo(Map.of(other, at(11L, "r1")));
        }
    }

    @Test
    void aPositionHasOneRowHoweverOftenItMoves() {
        try (StateStore store = open(weirDir())) {
            for (long value = 1; value <= 20; value++) {
                store.save(List.of(moved("lake.a", value, "r" + value)));
            }
            assertThat(store.positions("shop", SOURCE)).isEqualTo(Map.of(key("lake.a"), at(20L, "r20")));
            assertThat(store.history("shop", SOURCE, 2))
                    .containsExactly(moved("lake.a", 20, "r20"), moved("lake.a", 19, "r19"));
        }
    }

    @Test
    void ofMovesTheNewestThousandAreKeptAndTheFileStopsGrowing() throws Exception {
        try (StateStore store = open(weirDir())) {
            move(store, 1, 1_500);
            long size = Files.size(store.database().file());
            move(store, 1_501, 4_000);
            assertThat(store.history("shop", SOURCE, 9_999)).hasSize(Positions.KEPT);
            assertThat(Files.size(store.database().file())).isLessThan(size + size / 5);
        }
    }

    private static void move(StateStore store, long from, long to) {
        List<Moved> moves = new ArrayList<>();
        for (long value = from; value <= to; value++) {
            moves.add(moved("lake.a", value, "r" + value));
        }
        store.save(moves);
    }

    @Test
    void oneBadMoveLeavesTheOthersUnwritten() {
        try (StateStore store = open(weirDir())) {
            var wrong = new dev.weir.slicing.Position(
                    at(1L, "r1").cursor(),
                    0,
                    null,
                    dev.weir.slicing.CursorType.of(dev.weir.slicing.CursorType.Kind.DATE)
                            .units(1),
                    null,
                    "r1",
                    NOW);
            assertThatThrownBy(() -> store.save(List.of(moved("lake.a", 1, "r1"), new Moved(KEY, wrong))))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(store.allPositions("shop")).isEmpty();
            store.save(List.of(moved("lake.a", 1, "r1")));
            assertThat(store.allPositions("shop")).hasSize(1);
        }
    }

    @Test
    void anEditAndItsAuditAreWrittenTogether() {
        try (StateStore store = open(weirDir())) {
            store.save(List.of(moved("lake.a", 10, "r1")));
            Edit edit = new Edit(
                    Edit.Kind.SET,
                    "shop",
                    SOURCE,
                    "replica was restored",
                    "kim",
                    List.of(
                            new Edit.Change(key("lake.a"), at(10L, "r1"), at(5L, "edit-1")),
                            new Edit.Change(key("lake.b"), null, at(null, "edit-1"))));
            store.edit(edit);
            assertThat(store.positions("shop", SOURCE))
                    .isEqualTo(Map.of(key("lake.a"), at(5L, "edit-1"), key("lake.b"), at(null, "edit-1")));
            Edit later = new Edit(
                    Edit.Kind.CLEAR,
                    "shop",
                    SOURCE,
                    "start over",
                    "sam",
                    List.of(new Edit.Change(key("lake.a"), at(5L, "edit-1"), at(null, "edit-2"))));
            store.edit(later);
            assertThat(store.edits("shop", SOURCE))
                    .containsExactly(new Audited(2, NOW, later), new Audited(1, NOW, edit));
            assertThat(store.edits("shop", "pg_prod.public.customers")).isEmpty();
        }
    }

    @Test
    void aWidthIsKeptForItsCursorAndTargetUntilAnEdit() {
        Cursor cursor = new Cursor("id", Samples.BIGINT);
        Target target = new Target.Rows(10);
        Step width = new Step(Samples.BIGINT, BigInteger.TWO);
        try (StateStore store = open(weirDir())) {
            store.keepWidth("shop", SOURCE, cursor, target, new Step(Samples.BIGINT, BigInteger.ONE));
            store.keepWidth("shop", SOURCE, cursor, target, width);
            assertThat(store.keptWidth("shop", SOURCE, cursor, target)).contains(width);
            assertThat(store.keptWidth("shop", SOURCE, cursor, new Target.Rows(11)))
                    .isEmpty();
            assertThat(store.keptWidth("shop", SOURCE, new Cursor("at", Samples.BIGINT), target))
                    .isEmpty();
            assertThat(store.keptWidth("shop", "pg_prod.public.customers", cursor, target))
                    .isEmpty();

            store.database().write("the test's value was", connection -> {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("UPDATE chosen_widths SET units = '-2'");
                }
            });
            assertThat(store.keptWidth("shop", SOURCE, cursor, target)).isEmpty();

            store.keepWidth("shop", SOURCE, cursor, target, width);
            List<Edit.Change> changes = List.of(new Edit.Change(KEY, null, at(1L, "e")));
            store.edit(new Edit(Edit.Kind.SET, "shop", SOURCE, "why", "kim", changes));
            assertThat(store.keptWidth("shop", SOURCE, cursor, target)).isEmpty();
        }
    }

    @Test
    void anEditSaysWhoWhyAndWhat() {
        List<Edit.Change> changes = List.of(new Edit.Change(KEY, null, at(1L, "e")));
        assertThatThrownBy(() -> new Edit(Edit.Kind.SET, "shop", SOURCE, " ", "kim", changes))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Edit(Edit.Kind.SET, "shop", SOURCE, "why", "kim", List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Edit(Edit.Kind.SET, "shop", "else.where", "why", "kim", changes))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void afterARunEachSinkStoodWhereItsLastMoveUntilThenHadPutIt() {
        try (StateStore store = open(weirDir())) {
            finish(store, "r1", moved("lake.a", 10, "r1"), moved("lake.b", 10, "r1"));
            finish(store, "r2", moved("lake.a", 20, "r2"));
            finish(store, "r3");
            finish(store, "r4", moved("lake.a", 40, "r4"), moved("lake.b", 40, "r4"), moved("lake.c", 1, "r4"));
            assertThat(store.positionsAfter("shop", SOURCE, "r1"))
                    .contains(Map.of(key("lake.a"), at(10L, "r1"), key("lake.b"), at(10L, "r1")));
            assertThat(store.positionsAfter("shop", SOURCE, "r2"))
                    .contains(Map.of(key("lake.a"), at(20L, "r2"), key("lake.b"), at(10L, "r1")));
            assertThat(store.positionsAfter("shop", SOURCE, "r3"))
                    .isEqualTo(store.positionsAfter("shop", SOURCE, "r2"));
            assertThat(store.positionsAfter("shop", SOURCE, "r4").orElseThrow()).hasSize(3);
            assertThat(store.positionsAfter("shop", SOURCE, "r9")).isEmpty();
            assertThat(store.positionsAfter("shop", "pg_prod.public.customers", "r4"))
                    .contains(Map.of());
        }
    }

    @Test
    void aRunThatDiedStillTellsWhereItLeftItsSinks() {
        try (StateStore store = open(weirDir())) {
            store.started(Samples.run("r1"));
            store.save(List.of(moved("lake.a", 10, "r1")));
            store.save(List.of(moved("lake.a", 20, "r1")));
        }
        try (StateStore store = open(weirDir())) {
            finish(store, "r2", moved("lake.a", 30, "r2"));
            assertThat(store.positionsAfter("shop", SOURCE, "r1")).contains(Map.of(key("lake.a"), at(20L, "r1")));
        }
    }

    @Test
    void aRollbackToWhatIsNoLongerKeptIsRefused() {
        try (StateStore store = open(weirDir())) {
            finish(store, "r1", moved("lake.a", 10, "r1"));
            move(store, 11, 11 + Positions.KEPT);
            assertThatThrownBy(() -> store.positionsAfter("shop", SOURCE, "r1"))
                    .isInstanceOf(RunException.class)
                    .hasMessageContaining("WR0518")
                    .hasMessageContaining("lake.a")
                    .hasMessageContaining("no longer kept")
                    .hasMessageContaining("weir state set");
        }
    }

    private static void finish(StateStore store, String runId, Moved... moves) {
        RunRecord run = Samples.run(runId);
        store.started(run);
        store.save(List.of(moves));
        store.finished(run.ended(NOW, RunRecord.Status.SUCCESS, 1, 0, RunRecord.Counts.NONE));
    }

    @Test
    void theNewestRefreshCountsAndGathersItsSinks() {
        try (StateStore store = open(weirDir())) {
            assertThat(store.refresh("shop", SOURCE)).isEmpty();
            store.noteRefresh("shop", SOURCE, new Refresh(100, Set.of("lake.a", "lake.b")));
            store.noteRefresh("shop", SOURCE, new Refresh(100, Set.of("lake.b", "lake.c")));
            assertThat(store.refresh("shop", SOURCE)).contains(new Refresh(100, Set.of("lake.a", "lake.b", "lake.c")));
            store.noteRefresh("shop", SOURCE, new Refresh(200, Set.of("lake.a")));
            store.noteRefresh("shop", "other.source", new Refresh(300, Set.of("lake.z")));
            assertThat(store.refresh("shop", SOURCE)).contains(new Refresh(200, Set.of("lake.a")));
        }
    }

    @Test
    void aFullDiskFailsThePositionsAndLeavesTheOldOnes() throws Exception {
        try (StateStore store = open(weirDir())) {
            store.save(List.of(moved("lake.a", 1, "r1")));
            store.database().read(connection -> {
                try (var statement = connection.createStatement();
                        var row = statement.executeQuery("PRAGMA max_page_count = 1")) {
                    return row.next();
                }
            });
            List<Moved> many = new ArrayList<>();
            for (int sink = 0; sink < 500; sink++) {
                many.add(moved("lake.t" + sink, 2, "r2"));
            }
            assertThatThrownBy(() -> store.save(many))
                    .isInstanceOfSatisfying(
                            RunException.class,
                            e -> assertThat(e.fault().code()).isEqualTo(Code.STATE_NOT_WRITTEN))
                    .hasMessageContaining("state.db")
                    .hasMessageContaining("make room");
            assertThat(store.allPositions("shop")).isEqualTo(Map.of(key("lake.a"), at(1L, "r1")));
            assertThatThrownBy(() -> {
                        for (int run = 0; run < 500; run++) {
                            store.started(Samples.run("r" + run));
                        }
                    })
                    .isInstanceOf(RunException.class)
                    .hasMessageContaining("the run's history was not written");
        }
        try (StateStore store = open(weirDir())) {
            store.save(List.of(moved("lake.a", 2, "r2")));
        }
    }

    @Test
    void anotherProgramThatKeepsTheFileLockedIsToldNotWaitedForForEver() throws Exception {
        try (StateStore store = open(weirDir());
                var other = java.sql.DriverManager.getConnection(
                        "jdbc:sqlite:" + weirDir().resolve("state.db"));
                var statement = other.createStatement()) {
            store.database().read(connection -> {
                try (var patience = connection.createStatement()) {
                    return patience.execute("PRAGMA busy_timeout = 20");
                }
            });
            statement.execute("BEGIN EXCLUSIVE");
            assertThatThrownBy(() -> store.allPositions("shop"))
                    .isInstanceOf(RunException.class)
                    .hasMessageContaining("WR0518")
                    .hasMessageContaining("another process has kept it locked");
            assertThatThrownBy(() -> store.save(List.of(moved("lake.a", 1, "r1"))))
                    .isInstanceOf(RunException.class)
                    .hasMessageContaining("WR0527")
                    .hasMessageContaining("another process has it open");
            statement.execute("ROLLBACK");
            store.save(List.of(moved("lake.a", 1, "r1")));
            assertThat(store.allPositions("shop")).hasSize(1);
        }
    }

    @Test
    void readingMakesNothingWhereThereIsNothing() {
        assertThat(StateStore.openForReading(weirDir(), Samples.CLOCK)).isEmpty();
        assertThat(weirDir()).doesNotExist();
    }

    @Test
    void readingReadsAndChangesNothing() throws Exception {
        try (StateStore store = open(weirDir())) {
            finish(store, "r1", moved("lake.a", 10, "r1"));
        }
        List<Path> before = files();
        try (StateStore store =
                StateStore.openForReading(weirDir(), Samples.CLOCK).orElseThrow()) {
            assertThat(store.positions("shop", SOURCE)).containsKey(key("lake.a"));
            assertThat(store.runs(5)).hasSize(1);
            assertThat(store.locks().isHeld(SOURCE)).isFalse();
            assertThatThrownBy(() -> store.save(List.of(moved("lake.a", 11, "r2"))))
                    .isInstanceOf(RunException.class)
                    .hasMessageContaining("WR0527");
        }
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void aFolderWithAnOddNameWorks() throws Exception {
        Path odd = Files.createDirectory(project.resolve("odd ?mode=ro #1 %41 ü;'\""));
        try (StateStore store = open(odd.resolve(".weir"))) {
            store.save(List.of(moved("lake.a", 1, "r1")));
        }
        assertThat(odd.resolve(".weir/state.db")).isNotEmptyFile();
        try (StateStore store = open(odd.resolve(".weir"))) {
            assertThat(store.allPositions("shop")).hasSize(1);
        }
    }

    @Test
    void nothingButOneFileIsLeftOfStateAtRest() throws Exception {
        try (StateStore store = open(weirDir())) {
            store.save(List.of(moved("lake.a", 1, "r1")));
            assertThat(files()).containsExactly(weirDir().resolve("state.db"));
        }
    }

    private List<Path> files() throws Exception {
        try (var walk = Files.walk(weirDir())) {
            return walk.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
