package dev.weir.run;

import dev.weir.engine.EngineSettings;
import dev.weir.plan.Plan;
import dev.weir.project.Settings;
import java.nio.file.Path;

/** How a project wants its DuckDB. */
final class Engines {

    private Engines() {}

    /** @param spill where it spills, a folder of its own */
    static EngineSettings settings(Plan plan, Path spill) {
        Settings settings = plan.settings();
        EngineSettings engine = EngineSettings.spillingTo(spill).withSearchPath(plan.dir());
        if (settings.memory().isPresent()) {
            engine = engine.withMemoryLimit(settings.memory().get());
        }
        return settings.threads().isPresent()
                ? engine.withThreads(settings.threads().getAsInt())
                : engine;
    }
}
