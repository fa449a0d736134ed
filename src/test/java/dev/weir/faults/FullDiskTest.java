package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.run.Faults;
import dev.weir.testing.Disk;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A disk, or the memory, is full: the run fails with what is full and what to do, nothing is half written, and once there
 * is room the same command completes, each row once.
 */
class FullDiskTest {

    private static final int SLICE = 12_000;
    private static final int ROWS = 2 * SLICE;
    private static final String CONTENT = "SELECT count(*), count(DISTINCT id), max(id) FROM t";
    private static final String MARK = "SELECT value, rows_delivered FROM _weir_positions";

    @TempDir
    Path folder;

    private final Postgres.Database source = Postgres.fresh();
    private WeirProject project;

    /** Appends, so that a row that came twice would be seen. */
    private void project(String lake) {
        source.execute("CREATE TABLE t AS SELECT g AS id, md5(g::text) || md5((g + 1)::text) AS note"
                + " FROM generate_series(1, " + ROWS + ") g");
        project = new WeirProject(folder)
                .file("connections.yml", """
                        pg:
                          connector: postgres
                          host: localhost
                          port: %d
                          database: %s
                          user: postgres
                          entities:
                            public.t:
                              read:
                                sync: { mode: incremental, cursor: id, max_window: %d, initial: 0, until: %d }
                        lake: %s
                        """.formatted(source.port(), source.name(), SLICE, ROWS, lake))
                .file(
                        "pipelines/t.sql",
                        "INSERT INTO {{ sink('lake', 't', strategy: 'append', delivery: 'exactly_once') }}"
                                + " SELECT * FROM {{ source('pg', 'public.t') }}");
    }

    private void postgresSink() {
        project("{ connector: postgres, host: localhost, port: " + source.port() + ", database: " + sink().name()
                + ", user: postgres }");
    }

    private Postgres.Database sink;

    private Postgres.Database sink() {
        if (sink == null) {
            sink = Postgres.fresh();
        }
        return sink;
    }

    private void wideRows() {
        postgresSink();
        project.file("weir.yml", "memory: 256MB\nthreads: 1\n")
                .file(
                        "pipelines/t.sql",
                        "INSERT INTO {{ sink('lake', 't', strategy: 'append', delivery: 'exactly_once') }}"
                                + " SELECT id, repeat(note, 100) AS note FROM {{ source('pg', 'public.t') }}");
    }

    /** Runs to the end; at the point of the pass of that number something happens. */
    private WeirProject.Said run(Faults.Point when, int pass, Runnable happens) {
        AtomicInteger reached = new AtomicInteger();
        return project.run(
                point -> {
                    if (point == when && reached.incrementAndGet() == pass) {
                        happens.run();
                    }
                },
                Copy.RUN);
    }

    private static void failed(WeirProject.Said said, String... what) {
        assertThat(said.exitCode()).as(said.all()).isEqualTo(1);
        assertThat(said.all()).contains(what).doesNotContain("\tat ", "Exception");
    }

    private WeirProject.Said completes() {
        WeirProject.Said said = project.run(Copy.RUN);
        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(said.out()).contains("stopped: caught up");
        return said;
    }

    private static String of(int rows) {
        return rows + "|" + rows + "|" + rows;
    }

    @ParameterizedTest
    @EnumSource
    void aFullDiskUnderADuckDbFileLeavesWhatWasCommitted(Disk.Kind kind) {
        project("{ connector: duckdb, path: disk/lake.duckdb }");
        try (Disk disk = kind.of(16_000_000, folder.resolve("disk"))) {
            failed(
                    run(Faults.Point.BEFORE_FINAL_STATUS, 1, () -> disk.fill(200_000)),
                    "WR0503 lake: there is no room left on a disk: ",
                    "lake.duckdb",
                    "make room there and run again; nothing was half written");
            disk.makeRoom();
            assertThat(project.duckRows("disk/lake.duckdb", CONTENT)).containsExactly(of(SLICE));
            assertThat(project.duckRows("disk/lake.duckdb", MARK)).containsExactly(SLICE + "|" + SLICE);

            completes();
            assertThat(project.duckRows("disk/lake.duckdb", CONTENT)).containsExactly(of(ROWS));
        }
    }

    @Test
    void aDuckDbFileThatHasNoRoomToBeginWithIsMadeOnceThereIs() {
        project("{ connector: duckdb, path: disk/lake.duckdb }");
        try (Disk disk = Disk.Kind.MOUNTED.of(16_000_000, folder.resolve("disk"))) {
            disk.fill(0);
            failed(project.run(Copy.RUN), "WR0503 lake", "there is no room left on a disk: ", "make room there");
            disk.makeRoom();
            completes();
            assertThat(project.duckRows("disk/lake.duckdb", CONTENT)).containsExactly(of(ROWS));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "MOUNTED, database or disk is full, make room on the disk",
        "LIMITED, disk I/O error, 'look after the disk, which may be full'"
    })
    void aFullDiskUnderASqliteFileLeavesWhatWasCommitted(Disk.Kind kind, String what, String remedy) {
        project("{ connector: sqlite, path: disk/lake.sqlite, retry: { attempts: 1 } }");
        try (Disk disk = kind.of(16_000_000, folder.resolve("disk"))) {
            failed(run(Faults.Point.BEFORE_FINAL_STATUS, 1, () -> disk.fill(200_000)), "WR0503 lake", what, remedy);
            disk.makeRoom();
            assertThat(project.sqliteRows("disk/lake.sqlite", CONTENT)).containsExactly(of(SLICE));
            assertThat(project.sqliteRows("disk/lake.sqlite", MARK)).containsExactly(SLICE + "|" + SLICE);

            completes();
            assertThat(project.sqliteRows("disk/lake.sqlite", CONTENT)).containsExactly(of(ROWS));
        }
    }

    @Test
    void aFullDiskUnderPostgresLeavesWhatWasCommitted() throws IOException {
        postgresSink();
        Postgres.Database admin = new Postgres.Database("postgres", source.port());
        String space = "space_" + sink().name();
        Path disks = folder.resolve("disk");
        try (Disk disk = Disk.Kind.MOUNTED.of(40_000_000, disks)) {
            admin.execute(
                    "CREATE TABLESPACE " + space + " LOCATION '" + Files.createDirectory(disks.resolve("space")) + "'",
                    "ALTER DATABASE " + sink().name() + " SET default_tablespace = '" + space + "'");
            failed(
                    run(Faults.Point.BEFORE_FINAL_STATUS, 1, () -> disk.fill(100_000)),
                    "WR0503 lake.t: ",
                    "No space left on device [53100]",
                    "make room on the server, then run again");
            disk.makeRoom();
            assertThat(sink().rows(CONTENT)).containsExactly(of(SLICE));
            assertThat(sink().rows(MARK)).containsExactly(SLICE + "|" + SLICE);

            completes();
            assertThat(sink().rows(CONTENT)).containsExactly(of(ROWS));
            admin.execute("DROP DATABASE " + sink().name() + " WITH (FORCE)", "DROP TABLESPACE " + space);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFullDiskUnderStateFailsThePassAndTheMarkIsAdopted(Disk.Kind kind) {
        postgresSink();
        try (Disk disk = kind.of(2_000_000, folder.resolve(".weir"))) {
            failed(
                    run(Faults.Point.BEFORE_STATE_WRITE, 2, () -> disk.fill(0)),
                    "failed src_pg__public_t: WR0527 ",
                    "state.db: the positions were not written: ",
                    kind == Disk.Kind.MOUNTED ? "make room on that disk and run again" : "look after the disk",
                    "what the sinks have committed is adopted from their marks",
                    "stopped: run failed");
            disk.makeRoom();
            assertThat(sink().rows(CONTENT)).containsExactly(of(ROWS));

            assertThat(completes().out())
                    .contains("lake.t: state said 12000, the sink's mark says 24000: the mark is adopted");
            assertThat(sink().rows(CONTENT)).containsExactly(of(ROWS));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDiskWithoutRoomForStateIsToldBeforeAnythingIsRead(Disk.Kind kind) {
        postgresSink();
        try (Disk disk = kind.of(2_000_000, folder.resolve(".weir"))) {
            disk.fill(0);
            WeirProject.Said said = project.run(Copy.RUN);
            disk.makeRoom();
            failed(said, "WR0527 ", "state.db: the first tables were not written", "disk");
            assertThat(said.out()).isEmpty();
            assertThat(folder.resolve(".weir/state.db")).doesNotExist();

            completes();
        }
    }

    @Test
    void aFullDiskUnderTheFilesOfRunsIsANote() {
        postgresSink();
        try (Disk disk = Disk.Kind.MOUNTED.of(1_000_000, folder.resolve(".weir/runs"))) {
            disk.fill(4096);
            assertThat(completes().out())
                    .contains("note: events.ndjson ends early: ", "No space left on device; the run itself goes on");
        }
        assertThat(sink().rows(CONTENT)).containsExactly(of(ROWS));
    }

    @Test
    void memoryAndTheDiskToSpillOnAreFull() {
        wideRows();
        try (Disk disk = Disk.Kind.MOUNTED.of(8_000_000, folder.resolve(".weir/tmp"))) {
            disk.fill(0);
            isToldAsMemory(project.run(Copy.RUN));
        }
        project.file("weir.yml", "memory: 1GB\n");
        completes();
        assertThat(sink().rows(CONTENT)).containsExactly(of(ROWS));
    }

    @Test
    void memoryIsFullAndThereIsNowhereToSpill() {
        wideRows();
        project.file(".weir/tmp", "a file in the folder's place");

        isToldAsMemory(project.run(Copy.RUN));

        project.file("weir.yml", "memory: 1GB\n");
        completes();
        assertThat(sink().rows(CONTENT)).containsExactly(of(ROWS));
    }

    private static void isToldAsMemory(WeirProject.Said said) {
        failed(
                said,
                "raise memory in weir.yml, make max_window smaller, or see that DuckDB has room, and may write,"
                        + " where it spills, in .weir/tmp or spill; nothing was half written");
        assertThat(said.all()).doesNotContain("PRAGMA", "Possible solutions");
    }
}
