package dev.weir.run;

import com.sun.management.OperatingSystemMXBean;
import dev.weir.engine.EngineSettings;
import dev.weir.plan.Plan;
import dev.weir.project.Memory;
import dev.weir.project.Settings;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;

/** How a project wants its DuckDB. */
final class Engines {

    private static final long MIB = 1024L * 1024;

    private Engines() {}

    /** @param spill where it spills, a folder of its own */
    static EngineSettings settings(Plan plan, Path spill) {
        Settings settings = plan.settings();
        long bytes = settings.memory().map(Memory::duckDb).orElseGet(Engines::halfOfTheMachine);
        EngineSettings engine =
                EngineSettings.spillingTo(spill).withSearchPath(plan.dir()).withMemoryLimit(bytes / MIB + "MiB");
        return settings.threads().isPresent()
                ? engine.withThreads(settings.threads().getAsInt())
                : engine;
    }

    /** Of the machine, or of what the container has of it; the heap takes no more than a quarter. */
    private static long halfOfTheMachine() {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return Math.max(system.getTotalMemorySize() / 2, Memory.LEAST.duckDb());
    }
}
