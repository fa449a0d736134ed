package dev.weir.plan;

import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What a pass tells the SQL it runs.
 *
 * @param runStartedAt when the run started, shown in whole microseconds
 * @param relations by the id of a source or a pipeline: the table of {@code staging} to read in its place; the id itself
 *     where there is none
 * @param watermarks by source id: this pass's lower bound of every incremental source of the pipeline
 */
public record RenderContext(
        String runId, Instant runStartedAt, Map<String, String> relations, Map<String, Watermark> watermarks) {

    public RenderContext {
        relations = Map.copyOf(relations);
        watermarks = Map.copyOf(watermarks);
    }

    /**
     * The lower bound of one source in one pass.
     *
     * @param type the cursor's type
     * @param value empty on the first run
     */
    public record Watermark(CursorType type, Optional<CursorValue> value) {}
}
