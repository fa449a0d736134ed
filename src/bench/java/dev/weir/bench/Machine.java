package dev.weir.bench;

import dev.weir.bench.Command.FailedException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** What the figures were measured on, and with what. */
final class Machine {

    private static final double BYTES_PER_MIB = 1 << 20;

    private Machine() {}

    /** Facts by name. */
    static Map<String, Object> facts() throws IOException, FailedException {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("cores", Runtime.getRuntime().availableProcessors());
        facts.put("memory_mib", Math.round(system.getTotalMemorySize() / BYTES_PER_MIB));
        facts.put("cpu", cpu());
        facts.put(
                "system",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"));
        facts.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
        facts.put("postgres", Orders.row(Orders.postgres(Orders.source()), "SHOW server_version"));
        facts.put("postgres_shared_buffers", Orders.row(Orders.postgres(Orders.source()), "SHOW shared_buffers"));
        facts.put("duckdb", Orders.row("jdbc:duckdb:", "SELECT version()"));
        facts.put("weir_commit", Setting.value("BENCH_COMMIT"));
        return facts;
    }

    private static String cpu() throws IOException {
        Path file = Path.of("/proc/cpuinfo");
        if (!Files.exists(file)) {
            return "unknown";
        }
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        }
    }
}
