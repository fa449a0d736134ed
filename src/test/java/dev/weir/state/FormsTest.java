package dev.weir.state;

import static dev.weir.state.Samples.KEY;
import static dev.weir.state.Samples.NOW;
import static dev.weir.state.Samples.SOURCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Step;
import dev.weir.slicing.Target;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that earlier versions wrote, as they wrote them. */
class FormsTest {

    private static final Target TARGET = new Target.Rows(10);

    @TempDir
    Path project;

    private Path weirDir() {
        return project.resolve(".weir");
    }

    private Path file() {
        return weirDir().resolve("state.db");
    }

    private void writeForm(int form) throws Exception {
        Files.createDirectory(weirDir());
        try (InputStream sql = FormsTest.class.getResourceAsStream("/state/form-" + form + ".sql")) {
            sql(new String(sql.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private void sql(String statements) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(statements);
        }
    }

    private static void assertOldFacts(StateStore store, int form) {
        assertThat(store.positions("shop", SOURCE).get(KEY).generation()).isEqualTo(7);
        assertThat(store.history("shop", SOURCE, 9)).hasSize(2);
        assertThat(store.edits("shop", SOURCE)).hasSize(1);
        assertThat(store.positionsAfter("shop", SOURCE, "r1")
                        .orElseThrow()
                        .get(KEY)
                        .value())
                .isEqualTo(Samples.BIGINT.units(10));
        RunRecord ended = RunRecord.starting("r1", "shop", "run --all", NOW, new ProcessIdentity("box", 4242))
                .ended(NOW.plusSeconds(5), RunRecord.Status.SUCCESS, 1, 0, new RunRecord.Counts(1, 0, 0, 10));
        assertThat(store.run("r1")).contains(ended);
        assertThat(store.runs(9)).hasSize(2).allSatisfy(run -> assertThat(run.trigger())
                .isEqualTo(RunRecord.Trigger.RUN));
        CursorValue settled = Samples.BIGINT.units(8);
        assertThat(store.lastSettled("shop", SOURCE, PlanSamples.CURSOR).map(settled::equals))
                .isEqualTo(form == 1 ? Optional.empty() : Optional.of(true));
    }

    private static void assertNothingNew(StateStore store) {
        assertThat(store.backfills().list("shop", 9)).isEmpty();
        assertThat(store.backfills().find("shop", PlanSamples.ID)).isEmpty();
        assertThat(store.backfills().beginning("shop", "", 9)).isEmpty();
        assertThat(store.backfills().chunks("shop", PlanSamples.ID)).isEmpty();
        assertThat(store.backfills().chunk("shop", PlanSamples.ID, "000000")).isEmpty();
        assertThat(store.backfills().completed("shop", "orders_out")).isEmpty();
        assertThat(store.stretches("shop", SOURCE)).isEmpty();
        assertThat(store.stretchesOf("shop", "orders_out")).isEmpty();
        assertThat(store.runsOf("shop", PlanSamples.ID, 9)).isEmpty();
        assertThat(store.keptWidth("shop", SOURCE, PlanSamples.CURSOR, TARGET)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void anOlderFormIsBroughtUpAndKeepsWhatItHolds(int form) throws Exception {
        writeForm(form);
        try (StateStore store = Samples.open(weirDir())) {
            assertOldFacts(store, form);
            assertNothingNew(store);
            BackfillRecord plan = PlanSamples.plan(2);
            store.backfills().begin(plan, PlanSamples.chunks(2));
            store.activeRanges()
                    .register(List.of(ActiveRangesTest.rows("lake.a", 0, 9)), "r3")
                    .close();
            RunRecord attempt = RunRecord.startingChunk(
                    "r3", "shop", "backfill", NOW, ProcessIdentity.current(), plan.backfillId(), "c0");
            store.started(attempt);
            assertThat(store.runsOf("shop", plan.backfillId(), 9)).containsExactly(attempt);
            Step width = new Step(PlanSamples.CURSOR.type(), BigInteger.TWO);
            store.keepWidth("shop", SOURCE, PlanSamples.CURSOR, TARGET, width);
            assertThat(store.keptWidth("shop", SOURCE, PlanSamples.CURSOR, TARGET))
                    .contains(width);
        }
        try (StateStore store = Samples.open(weirDir())) {
            assertThat(store.backfills().chunks("shop", PlanSamples.ID)).hasSize(2);
            assertThat(store.run("r1")).isPresent();
            assertThat(store.run("r3").orElseThrow().trigger()).isEqualTo(RunRecord.Trigger.BACKFILL);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void anOlderFormIsReadWithoutBeingChanged(int form) throws Exception {
        writeForm(form);
        byte[] before = Files.readAllBytes(file());
        try (StateStore store =
                StateStore.openForReading(weirDir(), Samples.CLOCK).orElseThrow()) {
            assertOldFacts(store, form);
            assertNothingNew(store);
            assertThat(Files.readAllBytes(file())).isEqualTo(before);
            try (StateStore writer = Samples.open(weirDir())) {
                writer.backfills().begin(PlanSamples.plan(2), PlanSamples.chunks(2));
            }
            assertThat(store.backfills().chunks("shop", PlanSamples.ID)).hasSize(2);
            assertOldFacts(store, form);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aFileBroughtUpHasTheTablesOfANewOne(int form) throws Exception {
        writeForm(form);
        Samples.open(weirDir()).close();
        List<String> broughtUp = tables(file());
        Samples.open(project.resolve("new")).close();
        assertThat(broughtUp).isEqualTo(tables(project.resolve("new/state.db")));
    }

    private static List<String> tables(Path file) throws Exception {
        List<String> tables = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT name, sql FROM sqlite_master ORDER BY name")) {
            while (rows.next()) {
                tables.add(rows.getString(1) + ": " + rows.getString(2));
            }
        }
        return tables;
    }

    @Test
    void anOlderVersionThatIsStillRunningMayWriteItsRuns() throws Exception {
        writeForm(2);
        try (StateStore store = Samples.open(weirDir())) {
            sql(
                    "INSERT INTO runs (run_id, project, command, started_at, ended_at, status, host, pid, succeeded, failed,"
                            + " skipped, rows) VALUES ('old', 'shop', 'run', '2026-09-02T09:15:00Z', '2026-09-02T09:15:01Z',"
                            + " 'success', 'box', 1, 1, 0, 0, 5)");
            assertThat(store.run("old").orElseThrow().trigger()).isEqualTo(RunRecord.Trigger.RUN);
        }
    }
}
