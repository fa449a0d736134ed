package dev.weir.bench;

import dev.weir.bench.Command.FailedException;
import dev.weir.bench.Command.Taken;
import dev.weir.bench.Project.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Measures every figure once. What several figures are made of is run once; a floor is measured right before what is
 * compared with it. Every copy is compared with its source before its time counts.
 */
final class Round {

    private static final int SMALL = 10_000;
    private static final int LARGE = 100_000;
    private static final int ENDS = 20;

    /** As many passes hold the first use of everything, in the JVM and in DuckDB. */
    private static final int WARMING = 3;

    private static final int WARM_PASSES = 30;
    private static final int STARTS = 3;

    private final Setting setting;
    private final Orders orders;
    private @Nullable Sample staged;
    private @Nullable Compared small;
    private @Nullable Compared large;
    private @Nullable Idle idle;

    Round(Setting setting) {
        this.setting = setting;
        this.orders = new Orders("orders", setting.work());
    }

    /** A run of weir, and the floor beside it. */
    private record Compared(Taken floor, Ran ran) {

        Sample ratio() {
            Map<String, Double> parts = new LinkedHashMap<>();
            parts.put("weir_ms", ran.taken().millis());
            parts.put("floor_ms", floor.millis());
            parts.put("weir_cpu_ms", ran.taken().cpuMillis());
            parts.put("weir_peak_mib", ran.taken().peakMib());
            return new Sample(ran.taken().millis() / floor.millis(), parts);
        }
    }

    Sample transport() throws IOException, InterruptedException, FailedException {
        if (staged == null) {
            Taken floor = orders.floor();
            Project project = Project.intoDuckDb(setting, Project.appended("orders", setting.rows()));
            Ran ran = project.run();
            orders.check(Orders.duckdb(project.duckDbFile()), "orders");
            project.delete();
            double staging = ran.events().staging("src_pg__orders");
            Map<String, Double> parts = new LinkedHashMap<>();
            parts.put("staging_ms", staging);
            parts.put("floor_ms", floor.millis());
            parts.put("whole_run_ms", ran.taken().millis());
            parts.put("weir_cpu_ms", ran.taken().cpuMillis());
            staged = new Sample(staging / floor.millis(), parts);
        }
        return staged;
    }

    Sample loopSmall() throws IOException, InterruptedException, FailedException {
        return small().ratio();
    }

    Sample loopLarge() throws IOException, InterruptedException, FailedException {
        return large().ratio();
    }

    Sample memory() throws IOException, InterruptedException, FailedException {
        double peak = large().ran().taken().peakMib();
        if (peak == 0) {
            throw new FailedException("memory: this system does not tell what a process held at most");
        }
        return new Sample(peak, Map.of());
    }

    /** Also without the slices that warm up; the figure itself has them. */
    Sample growth() throws IOException, InterruptedException, FailedException {
        List<Double> passes = small().ran().events().passes();
        int ends = Math.min(ENDS, passes.size() / 2);
        if (ends == 0) {
            throw new FailedException("growth: it needs two slices of " + SMALL + " rows at least");
        }
        double first = Median.of(passes.subList(0, ends));
        double warm = Median.of(passes.subList(Math.min(WARMING, ends - 1), ends));
        double last = Median.of(passes.subList(passes.size() - ends, passes.size()));
        Map<String, Double> parts = new LinkedHashMap<>();
        parts.put("passes", (double) passes.size());
        parts.put("first_ms", first);
        parts.put("first_without_" + WARMING + "_ms", warm);
        parts.put("last_ms", last);
        parts.put("to_first_without_" + WARMING, last / warm);
        return new Sample(last / first, parts);
    }

    private Compared small() throws IOException, InterruptedException, FailedException {
        if (small == null) {
            small = loop(SMALL);
        }
        return small;
    }

    private Compared large() throws IOException, InterruptedException, FailedException {
        if (large == null) {
            large = loop(LARGE);
        }
        return large;
    }

    private Compared loop(int window) throws IOException, InterruptedException, FailedException {
        Taken floor = orders.floor();
        return new Compared(floor, loop(orders, window, setting.rows()));
    }

    private Ran loop(Orders table, int window, long rows) throws IOException, InterruptedException, FailedException {
        Project project = Project.intoDuckDb(setting, Project.merged(table.table(), window, rows));
        Ran ran = project.loop();
        table.check(Orders.duckdb(project.duckDbFile()), table.table());
        project.delete();
        return ran;
    }

    Sample postgres() throws IOException, InterruptedException, FailedException {
        orders.settle();
        Taken floor = orders.floorIntoPostgres();
        orders.makeTarget();
        orders.settle();
        Project project = Project.intoPostgres(setting, Project.merged("orders", LARGE, setting.rows()));
        Compared compared = new Compared(floor, project.loop());
        orders.check(Orders.postgres(Orders.target()), "orders");
        orders.settle();
        project.delete();
        return compared.ratio();
    }

    /** How much longer the loop of {@link Naive} takes than weir, which does the same when it stages one slice. */
    Sample naive() throws IOException, InterruptedException, FailedException {
        Taken floor = orders.floor();
        Path file = setting.work().resolve("naive.duckdb");
        Folders.delete(file);
        Path output = setting.work().resolve("naive.txt");
        new Command(
                        List.of(
                                ProcessHandle.current().info().command().orElse("java"),
                                "-XX:+UseParallelGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Naive.class.getName(),
                                file.toString()),
                        setting.work(),
                        output)
                .run();
        double naive = Double.parseDouble(Files.readString(output).strip());
        orders.check(Orders.duckdb(file), "orders");
        Folders.delete(file);
        double staging = transport().parts().get("staging_ms");
        Map<String, Double> parts = new LinkedHashMap<>();
        parts.put("naive_ms", naive);
        parts.put("staging_ms", staging);
        parts.put("floor_ms", floor.millis());
        parts.put("naive_to_floor", naive / floor.millis());
        return new Sample(naive / staging, parts);
    }

    Sample size() throws IOException, InterruptedException, FailedException {
        Taken once = large().ran().taken();
        Taken tenTimes = loop(new Orders("orders_10x", setting.work()), LARGE, 10 * setting.rows())
                .taken();
        Map<String, Double> parts = new LinkedHashMap<>();
        parts.put("once_ms", once.millis());
        parts.put("ten_times_ms", tenTimes.millis());
        parts.put("ten_times_peak_mib", tenTimes.peakMib());
        return new Sample(tenTimes.millis() / once.millis(), parts);
    }

    /** What a project that is caught up costs: beside a source with slices to read, alone, and its state shown. */
    private record Idle(List<Double> passes, Taken run, double stateShow, double version) {}

    Sample caughtUp() throws IOException, InterruptedException, FailedException {
        List<Double> warm = idle().passes().stream().skip(WARMING).toList();
        if (warm.isEmpty()) {
            throw new FailedException("caught-up: it needs more than " + WARMING + " orders");
        }
        return new Sample(Median.of(warm), Map.of("passes", (double) warm.size()));
    }

    Sample caughtUpRun() throws IOException, InterruptedException, FailedException {
        return new Sample(
                idle().run().millis(), Map.of("weir_cpu_ms", idle().run().cpuMillis()));
    }

    Sample version() throws IOException, InterruptedException, FailedException {
        return new Sample(idle().version(), Map.of());
    }

    Sample stateShow() throws IOException, InterruptedException, FailedException {
        return new Sample(idle().stateShow(), Map.of());
    }

    private Idle idle() throws IOException, InterruptedException, FailedException {
        if (idle == null) {
            long until = Math.min(setting.rows(), (long) WARM_PASSES * SMALL);
            long window = Math.max(1, until / WARM_PASSES);
            Project project = Project.intoDuckDb(
                    setting, Project.merged("idle", SMALL, SMALL), Project.merged("orders", window, until));
            List<Double> passes = project.loop().events().busyWith("src_pg__idle");
            Taken run = project.run().taken();
            idle = new Idle(passes, run, started(project, "state", "show"), started(project, "--version"));
            project.delete();
        }
        return idle;
    }

    private static double started(Project project, String... arguments)
            throws IOException, InterruptedException, FailedException {
        List<Double> starts = new ArrayList<>();
        for (int i = 0; i < STARTS; i++) {
            starts.add(project.weir(arguments).millis());
        }
        return Median.of(starts);
    }
}
