package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.faults.AllSinks.Table;
import dev.weir.faults.Copy.Strategy;
import dev.weir.faults.Copy.System;
import dev.weir.run.Faults;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What may befall a sink behind weir's back, in each system and for each strategy: contract, section 2.4, row for row. */
class TornSinksTest {

    private static final List<String> FILES = List.of("lake.duckdb", "lake.sqlite");

    @TempDir
    Path folder;

    private AllSinks all;
    private Path yesterday;

    @BeforeEach
    void oneSliceIsLoaded() throws IOException {
        all = AllSinks.half(folder);
        yesterday = Files.createDirectory(folder.resolve("yesterday"));
    }

    private void admin(String... statements) {
        new Postgres.Database("postgres", all.source.port()).execute(statements);
    }

    /** What a file copy is to a file, a template is to a database. */
    private void backUp() throws IOException {
        for (String file : FILES) {
            Files.copy(folder.resolve(file), yesterday.resolve(file));
        }
        admin("CREATE DATABASE " + backup() + " TEMPLATE " + all.warehouse.name());
    }

    private void restore() throws IOException {
        for (String file : FILES) {
            Files.copy(yesterday.resolve(file), folder.resolve(file), StandardCopyOption.REPLACE_EXISTING);
        }
        failOver();
    }

    private String backup() {
        return "before_" + all.warehouse.name();
    }

    /** The older copy takes the place of the database, and whoever is connected is thrown out. */
    private void failOver() {
        admin(
                "DROP DATABASE " + all.warehouse.name() + " WITH (FORCE)",
                "ALTER DATABASE " + backup() + " RENAME TO " + all.warehouse.name());
    }

    /** Does it to each of the nine tables; {@code %s} is its name, {@code %m} that of its marks. */
    private void toEachTable(String sql) {
        AllSinks.tables().forEach(table -> to(table, sql));
    }

    private void to(Table table, String sql) {
        String name = table.system() == System.POSTGRES ? all.copy.inPostgres(table.name()) : table.name();
        String marks = table.system() == System.POSTGRES ? all.copy.inPostgres("_weir_positions") : "_weir_positions";
        String statement = sql.replace("%m", marks).replace("%s", name).replace("%n", table.name());
        switch (table.system()) {
            case DUCKDB -> all.copy.project().duck("lake.duckdb", statement);
            case SQLITE -> all.copy.project().sqlite("lake.sqlite", statement);
            case POSTGRES -> all.warehouse.execute(statement);
        }
    }

    private void isRefused(WeirProject.Said said, Table table, String why) {
        assertThat(said.out()).contains("failed " + all.id(table) + ": WR0528 " + all.id(table) + ": " + why);
    }

    private void follow(String... command) {
        all.copy.succeeds(command);
    }

    @Test
    void restoredFromYesterdayTheyAreTakenAsTheyAre() throws IOException {
        backUp();
        all.copy.catchUp();
        restore();

        WeirProject.Said said = all.copy.catchUp();

        AllSinks.tables().forEach(table -> assertThat(said.out())
                .contains(all.id(table) + ": state said 1030, the sink's mark says 500: the mark is adopted"));
        all.isExact();
    }

    @ParameterizedTest
    @ValueSource(strings = {"DELETE FROM %s", "DROP TABLE %s"})
    void theirRowsGoneAndTheirMarksLeftTheyAreRefusedAndTheRemedyRepairsThem(String loss) {
        toEachTable(loss);
        String why = (loss.startsWith("DROP")
                        ? "the sink has a mark, but its table is gone"
                        : "the table is empty though it was not at its last commit")
                + ": rows of [initial, 500] are missing";

        WeirProject.Said said = all.fails();

        AllSinks.tables().forEach(table -> isRefused(said, table, why));
        follow(AllSinks.commands(said.out()).get(0));
        all.copy.catchUp();
        all.isExact();
    }

    @Test
    void renamedTheyAreRefusedAndOnceTheyAreBackNothingIsMissing() {
        toEachTable("ALTER TABLE %s RENAME TO %n_aside");

        WeirProject.Said said = all.fails();

        AllSinks.tables().forEach(table -> isRefused(said, table, "the sink has a mark, but its table is gone"));
        AllSinks.tables()
                .forEach(table -> to(
                        new Table(table.system(), table.strategy()),
                        "ALTER TABLE "
                                + (table.system() == System.POSTGRES ? all.copy.inPostgres("%n_aside") : "%n_aside")
                                + " RENAME TO %n"));
        all.copy.catchUp();
        all.isExact();
    }

    @Test
    void theirMarksGoneMergesAndWindowsLoadAgainAndAppendsAskWhereTheyStand() {
        AllSinks.tables()
                .forEach(table ->
                        to(table, table.system() == System.DUCKDB ? "DROP TABLE IF EXISTS %m" : "DELETE FROM %m"));

        WeirProject.Said said = all.fails();

        AllSinks.tables().forEach(table -> {
            if (table.strategy() == Strategy.APPEND) {
                isRefused(said, table, "the table holds rows and no mark says up to where pg.public.t is loaded");
            } else {
                assertThat(said.out())
                        .contains(all.id(table) + ": the table holds rows and no mark, so loading starts at initial");
            }
        });
        List<String[]> commands = AllSinks.commands(said.out());
        assertThat(commands).hasSize(3);
        for (String[] command : commands) {
            follow(Arrays.stream(command)
                    .map(word -> word.equals("V") ? AllSinks.HALF : word)
                    .toArray(String[]::new));
        }
        all.copy.catchUp();
        rowsAreExact();
    }

    @Test
    void theirMarksOfYesterdayBesideRowsOfTodayLoadMergesAndWindowsAgain() {
        toEachTable("CREATE TABLE IF NOT EXISTS %m_old AS SELECT * FROM %m");
        all.copy.catchUp();
        for (Strategy strategy : List.of(Strategy.MERGE, Strategy.WINDOW)) {
            AllSinks.tables().filter(table -> table.strategy() == strategy).forEach(table -> {
                to(table, "DELETE FROM %m WHERE pipeline = '%n'");
                to(table, "INSERT INTO %m SELECT * FROM %m_old WHERE pipeline = '%n'");
            });
        }

        assertThat(all.copy.catchUp().out()).contains("state said 1030, the sink's mark says 500: the mark is adopted");

        rowsAreExact();
    }

    /** Rows alone: of what an operator adopted the mark counts no rows. */
    private void rowsAreExact() {
        AllSinks.tables().forEach(table -> assertThat(all.copy.sinkRows(table.system(), table.name()))
                .as(table.name())
                .isEqualTo(all.copy.sourceRows()));
        assertThat(all.copy.state()).contains("current  1030").doesNotContain("ahead");
    }

    @Test
    void oneAppendTableEmptiedBesideOthersIsLoadedAgainAlone() {
        Table emptied = new Table(System.SQLITE, Strategy.APPEND);
        to(emptied, "DELETE FROM %s");

        WeirProject.Said said = all.fails();

        isRefused(said, emptied, "the table is empty though it was not");
        List<String[]> commands = AllSinks.commands(said.out());
        assertThat(all.copy.project().run(commands.get(0)).err()).contains("WR0529 lake.append_duckdb");
        follow(commands.get(1));
        all.copy.catchUp();
        all.isExact();
    }

    @Test
    void aNewEmptyServerInTheirPlaceIsFilledFromInitial() throws IOException {
        for (String file : FILES) {
            Files.delete(folder.resolve(file));
        }
        admin("DROP DATABASE " + all.warehouse.name() + " WITH (FORCE)", "CREATE DATABASE " + all.warehouse.name());
        all.warehouse.execute("CREATE SCHEMA " + all.copy.inPostgres("").replace(".", ""));

        WeirProject.Said said = all.copy.catchUp();

        AllSinks.tables().forEach(table -> assertThat(said.out())
                .contains(all.id(table)
                        + ": state said 500, the sink holds neither a mark nor rows of it: loading starts at initial"));
        all.isExact();
    }

    @Test
    void aLaggingReplicaInPlaceOfThePrimaryBetweenTwoPassesIsTakenAsItIs() throws IOException {
        backUp();
        AtomicInteger passes = new AtomicInteger();

        WeirProject.Said said = all.copy
                .project()
                .run(
                        Clock.systemUTC(),
                        point -> {
                            if (point == Faults.Point.BEFORE_FINAL_STATUS && passes.incrementAndGet() == 1) {
                                failOver();
                            }
                        },
                        Copy.RUN);

        assertThat(said.exitCode()).as(said.all()).isZero();
        AllSinks.tables(System.POSTGRES).forEach(table -> assertThat(said.out())
                .contains(all.id(table) + ": state said 1000, the sink's mark says 500: the mark is adopted"));
        all.isExact();
    }

    @Test
    void aLaggingReplicaInPlaceOfThePrimaryWithinAPassTakesNothingOfIt() throws IOException {
        backUp();
        all.copy.succeeds("run", "--all");
        AtomicInteger commits = new AtomicInteger();

        WeirProject.Said said = all.copy
                .project()
                .run(
                        Clock.systemUTC(),
                        point -> {
                            if (point == Faults.Point.STAGED && commits.incrementAndGet() == 1) {
                                failOver();
                            }
                        },
                        Copy.RUN);

        assertThat(said.exitCode()).as(said.all()).isEqualTo(1);
        AllSinks.tables(System.POSTGRES)
                .forEach(table -> assertThat(said.out()).contains("failed " + all.id(table) + ": WR0520 "));
        all.copy.catchUp();
        all.isExact();
    }
}
