package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.RunException;
import dev.weir.fault.UnknownOutcomeException;
import dev.weir.run.Faults;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A source of four tables, and pipelines of every kind below them: one with three sinks in two systems, one that appends,
 * one over two sources, and one, added later, over an intermediate result.
 */
final class ManyWorld {

    private static final String STATE = "state.db";
    private static final List<String> SINKS = List.of(
            "lake.items", "lake.items_too", "wh.items", "wh.log", "lake.united", "wh.united", "lake.late", "wh.late");

    private final WeirProject project;
    private final Postgres.Database source;
    private final Postgres.Database warehouse;
    private final Random random;
    private final Path saved;
    private boolean refreshed;
    private int nums;
    private int more;
    private int items;
    private int seconds;

    ManyWorld(Path folder, Postgres.Database source, Postgres.Database warehouse, long seed) {
        this.project = new WeirProject(folder.resolve("project"));
        this.saved = folder.resolve("saved");
        this.source = source;
        this.warehouse = warehouse;
        this.random = new Random(seed);
        for (Postgres.Database database : List.of(source, warehouse)) {
            database.execute("DROP SCHEMA public CASCADE", "CREATE SCHEMA public");
        }
        source.execute(
                "CREATE TABLE nums (id bigint PRIMARY KEY, v integer)",
                "CREATE TABLE more (id bigint PRIMARY KEY, v integer)",
                "CREATE TABLE items (id bigint PRIMARY KEY, v integer, changed timestamp)",
                "CREATE TABLE names AS SELECT k::bigint AS k, 'name ' || k AS name FROM generate_series(0, 2) k");
        project.file("connections.yml", """
                pg:
                  connector: postgres
                  host: localhost
                  port: %1$d
                  database: %2$s
                  user: postgres
                  retry: { attempts: 3, delay: 1ms, max_delay: 2ms }
                  entities:
                    public.items: { read: { sync: { mode: incremental, cursor: changed, max_window: 20s, initial: 2026-01-01, until: 2026-02-01 %4$s } } }
                    public.nums: { read: { sync: { mode: incremental, cursor: id, max_window: 15, initial: 1, until: 100000 } } }
                    public.more: { read: { sync: { mode: incremental, cursor: id, max_window: 21, initial: 1, until: 100000 } } }
                    public.names: {}
                wh:
                  connector: postgres
                  host: localhost
                  port: %1$d
                  database: %3$s
                  user: postgres
                  retry: { attempts: 3, delay: 1ms, max_delay: 2ms }
                lake: { connector: duckdb, path: lake.duckdb, retry: { attempts: 3, delay: 1ms, max_delay: 2ms } }
                """.formatted(
                        source.port(), source.name(), warehouse.name(), random.nextBoolean() ? ", lookback: 15s" : ""));
        project.file("pipelines/items.sql", """
                INSERT INTO {{ sink('lake', 'items', strategy: 'merge', keys: ['id']) }},
                            {{ sink('lake', 'items_too', strategy: 'merge', keys: ['id']) }},
                            {{ sink('wh', 'items', strategy: 'merge', keys: ['id']) }}
                SELECT id, v, changed FROM {{ source('pg', 'items') }}
                """);
        project.file("pipelines/log.sql", """
                INSERT INTO {{ sink('wh', 'log', strategy: 'append', delivery: 'exactly_once') }}
                SELECT id, v FROM {{ source('pg', 'nums') }}
                """);
        project.file("pipelines/both.sql", """
                INSERT INTO {{ sink('lake', 'united', strategy: 'append', delivery: 'exactly_once') }},
                            {{ sink('wh', 'united', strategy: 'merge', keys: ['src', 'id']) }}
                SELECT 'n' AS src, id, v FROM {{ source('pg', 'nums') }}
                UNION ALL SELECT 'm', id, v FROM {{ source('pg', 'more') }}
                """);
    }

    void does(ManyActs act) {
        if (act instanceof ManyActs.Rows rows) {
            arrive(rows.count());
        } else if (act instanceof ManyActs.Run run) {
            run(run);
        } else if (act instanceof ManyActs.Set set) {
            lowest(set.entity(), set.part()).ifPresent(value -> edit("set", "pg." + set.entity(), "--value", value));
        } else if (act instanceof ManyActs.Clear clear) {
            edit("clear", "pg." + clear.entity());
        } else if (act instanceof ManyActs.Rollback rollback) {
            rollBack(rollback);
        } else if (act instanceof ManyActs.Adopt adopt) {
            adopt(SINKS.get(adopt.which()));
        } else if (act instanceof ManyActs.AddPipeline) {
            addPipeline();
        } else {
            aboutState(act);
        }
    }

    private void arrive(int count) {
        List<String> statements = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            nums += 1 + random.nextInt(random.nextInt(6) == 0 ? 60 : 4);
            more += 1 + random.nextInt(7);
            statements.add("INSERT INTO nums VALUES (" + nums + ", " + random.nextInt(100) + ")");
            statements.add("INSERT INTO more VALUES (" + more + ", " + random.nextInt(100) + ")");
            seconds += random.nextInt(9);
            String changed = "timestamp '2026-01-01 00:00:10' + " + seconds + " * interval '1 s'";
            statements.add("INSERT INTO items VALUES (" + ++items + ", " + i + ", " + changed + ")");
            if (i % 2 == 0) {
                seconds += 1 + random.nextInt(9);
                statements.add("UPDATE items SET v = v + 1000, changed = timestamp '2026-01-01 00:00:10' + " + seconds
                        + " * interval '1 s' WHERE id = " + (1 + random.nextInt(items)));
            }
        }
        seconds++;
        source.execute(statements.toArray(String[]::new));
    }

    private void run(ManyActs.Run run) {
        if (run.selection().contains("mid+") && !hasLate()) {
            return;
        }
        List<String> args = new ArrayList<>(List.of("run", "--threads", "" + run.threads()));
        args.addAll(run.selection());
        if (run.loop()) {
            args.add("--until-caught-up");
        }
        if (run.fullRefresh()) {
            args.add("--full-refresh");
        }
        ManyActs.Breaking breaking = run.breaking();
        boolean refuses = breaking.how() == ManyActs.How.SINK_REFUSES
                && !warehouse
                        .rows("SELECT 1 FROM pg_tables WHERE schemaname = 'public' AND tablename = 'items'")
                        .isEmpty();
        if (refuses) {
            warehouse.execute("ALTER TABLE items ADD CONSTRAINT nothing_more CHECK (false) NOT VALID");
        }
        try {
            WeirProject.Said said = project.run(faults(breaking), args.toArray(String[]::new));
            assertThat(said.exitCode()).as(said.all()).isIn(0, 1);
            if (breaking.how() == ManyActs.How.NOT && !run.fullRefresh()) {
                assertThat(said.exitCode()).as(said.all()).isZero();
            }
            if (breaking.how() == ManyActs.How.NOT) {
                assertThat(said.all()).doesNotContain("internal error");
            }
        } catch (Death e) {
            assertThat(breaking.how()).isEqualTo(ManyActs.How.DEATH);
        } finally {
            if (refuses) {
                warehouse.execute("ALTER TABLE items DROP CONSTRAINT nothing_more");
            }
        }
        nothingIsDoubled();
    }

    /** The process is gone. */
    private static final class Death extends Error {
        private static final long serialVersionUID = 1;
    }

    private static Faults faults(ManyActs.Breaking breaking) {
        AtomicInteger reached = new AtomicInteger();
        return point -> {
            boolean now = point == breaking.point() && reached.getAndIncrement() == breaking.after();
            if (!now) {
                return;
            }
            RuntimeException why = new IllegalStateException("broken at " + point);
            switch (breaking.how()) {
                case FAILURE -> throw RunException.lasting(fault(point), why);
                case PASSING -> {
                    if (point != Faults.Point.AFTER_SINK_COMMIT && point != Faults.Point.LOCKED) {
                        throw RunException.passing(fault(point), why);
                    }
                }
                case UNKNOWN_OUTCOME -> throw new UnknownOutcomeException("the test", why);
                case DEATH -> throw new Death();
                case NOT, SINK_REFUSES -> {}
            }
        };
    }

    private static Fault fault(Faults.Point point) {
        return new Fault(Code.SINK, "the test", "broken at " + point, "go on");
    }

    private WeirProject.Said edit(String... words) {
        List<String> args = new ArrayList<>(List.of("state"));
        args.addAll(List.of(words));
        args.addAll(List.of("--reason", "test"));
        WeirProject.Said said = project.run(args.toArray(String[]::new));
        if (said.exitCode() != 0) {
            assertThat(said.all()).containsAnyOf("WR0529", "no run '");
        }
        return said;
    }

    /** A value between initial and the lowest mark below the entity: nothing that was not loaded counts as loaded. */
    private Optional<String> lowest(String entity, int part) {
        List<String> marks = new ArrayList<>();
        int sinks = 0;
        for (String sink : SINKS) {
            if (isBelow(entity, sink)) {
                sinks++;
                mark(entity, sink).ifPresent(marks::add);
            }
        }
        if (marks.size() < sinks) {
            return Optional.of(entity.equals("items") ? "2025-12-31" : "0");
        }
        if (entity.equals("items")) {
            String lowest = marks.stream().sorted().findFirst().orElseThrow();
            return Optional.of(part < 30 ? "2026-01-01T00:00:20" : lowest)
                    .filter(value -> value.compareTo(lowest) <= 0);
        }
        long lowest = marks.stream().mapToLong(Long::parseLong).min().orElseThrow();
        return Optional.of(Long.toString(lowest * part / 100));
    }

    private boolean isBelow(String entity, String sink) {
        return switch (sink) {
            case "lake.items", "lake.items_too", "wh.items" -> entity.equals("items");
            case "wh.log" -> entity.equals("nums");
            case "lake.late", "wh.late" -> entity.equals("nums") && hasLate();
            default -> !entity.equals("items");
        };
    }

    private Optional<String> mark(String entity, String sink) {
        String query = "SELECT value FROM _weir_positions WHERE source = 'pg.public." + entity + "' AND sink = '" + sink
                + "' AND value IS NOT NULL ORDER BY generation DESC LIMIT 1";
        boolean lake = sink.startsWith("lake");
        if (lake
                ? !Files.exists(file("lake.duckdb"))
                : rows("wh", "_weir_positions").isEmpty()) {
            return Optional.empty();
        }
        List<String> found = lake && rows("lake", "_weir_positions").isEmpty()
                ? List.of()
                : lake ? project.duckRows("lake.duckdb", query) : warehouse.rows(query);
        return found.stream().findFirst();
    }

    private List<String> rows(String connection, String table) {
        String query = "SELECT 1 FROM information_schema.tables WHERE table_name = '" + table + "'";
        return connection.equals("lake") ? project.duckRows("lake.duckdb", query) : warehouse.rows(query);
    }

    private void rollBack(ManyActs.Rollback rollback) {
        List<String> runs = project.run("runs", "--limit", "20")
                .out()
                .lines()
                .map(line -> line.split(" ")[0])
                .filter(word -> word.matches("\\d{8}T.*"))
                .toList();
        if (rollback.back() < runs.size()) {
            edit("rollback", "pg." + rollback.entity(), "--to-run", runs.get(rollback.back()));
        }
    }

    private void adopt(String sink) {
        String entity = sink.endsWith("items") || sink.endsWith("too") ? "items" : "nums";
        if (isBelow(entity, sink)) {
            mark(entity, sink).ifPresent(value -> edit("adopt", "pg." + entity, "--sink", sink, "--value", value));
        }
    }

    private boolean hasLate() {
        return Files.exists(file("pipelines/late.sql"));
    }

    private void addPipeline() {
        project.file("pipelines/mid.sql", "SELECT id, v, id % 3 AS k FROM {{ source('pg', 'nums') }}\n");
        project.file("pipelines/late.sql", """
                INSERT INTO {{ sink('lake', 'late', strategy: 'merge', keys: ['id']) }},
                            {{ sink('wh', 'late', strategy: 'window') }}
                SELECT m.id, m.v, n.name FROM {{ ref('mid') }} m JOIN {{ source('pg', 'names') }} n USING (k)
                """);
    }

    private void aboutState(ManyActs act) {
        Path weir = file(".weir");
        try {
            if (!Files.isDirectory(weir)) {
                return;
            }
            if (act instanceof ManyActs.SaveState) {
                copy(weir, saved);
            } else if (act instanceof ManyActs.LoseState) {
                forget(weir);
            } else if (Files.isDirectory(saved)) {
                forget(weir);
                copy(saved, weir);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void forget(Path folder) throws IOException {
        for (Path file : stateFiles(folder)) {
            Files.delete(file);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        forget(to);
        for (Path file : stateFiles(from)) {
            Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    private static List<Path> stateFiles(Path folder) throws IOException {
        try (java.util.stream.Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith(STATE))
                    .toList();
        }
    }

    private Path file(String name) {
        return project.directory().resolve(name);
    }

    private void nothingIsDoubled() {
        if (!rows("wh", "log").isEmpty()) {
            assertThat(warehouse.rows("SELECT id FROM log GROUP BY id HAVING count(*) > 1"))
                    .isEmpty();
        }
        if (Files.exists(file("lake.duckdb")) && !rows("lake", "united").isEmpty()) {
            assertThat(project.duckRows("lake.duckdb", "SELECT src, id FROM united GROUP BY ALL HAVING count(*) > 1"))
                    .isEmpty();
        }
    }

    /** All is run until caught up, and every sink holds what it owes. */
    void endsExact() {
        WeirProject.Said said = project.run("run", "--all", "--until-caught-up", "--max-runs", "500");
        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(said.out()).contains("stopped: caught up");
        isExact("items", "SELECT id, v, CAST(changed AS varchar) FROM items ORDER BY 1", "items", "items_too");
        List<String> log = source.rows("SELECT id, v FROM nums ORDER BY 1");
        assertThat(warehouse.rows("SELECT id, v FROM log ORDER BY 1, 2")).isEqualTo(log);
        List<String> both =
                source.rows("SELECT 'm', id, v FROM more UNION ALL SELECT 'n', id, v FROM nums ORDER BY 1, 2");
        String query = "SELECT src, id, v FROM united ORDER BY 1, 2, 3";
        assertThat(warehouse.rows(query)).isEqualTo(both);
        assertThat(project.duckRows("lake.duckdb", query)).isEqualTo(both);
        if (hasLate()) {
            List<String> late = source.rows("SELECT id, v, 'name ' || id % 3 FROM nums ORDER BY 1");
            assertThat(warehouse.rows("SELECT id, v, name FROM late ORDER BY 1, 2"))
                    .isEqualTo(late);
            assertThat(project.duckRows("lake.duckdb", "SELECT id, v, name FROM late ORDER BY 1, 2"))
                    .isEqualTo(late);
        }
        WeirProject.Said again = project.run("run", "--all");
        assertThat(again.exitCode()).as(again.all()).isZero();
    }

    private void isExact(String table, String query, String... lakeTables) {
        List<String> owed = source.rows(query);
        assertThat(warehouse.rows(query)).isEqualTo(owed);
        for (String lakeTable : lakeTables) {
            assertThat(project.duckRows("lake.duckdb", query.replace(" " + table, " " + lakeTable)))
                    .isEqualTo(owed);
        }
    }
}
