package dev.weir.plan;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A pipeline's SQL as one SELECT over {@code staging}, complete but for what a pass knows.
 *
 * <p>Every line is the line of the pipeline's file, so that an error's line points at the right place. Immutable.
 *
 * @param parts in order; together the whole statement
 */
public record CompiledSql(List<Part> parts) {

    public CompiledSql {
        parts = List.copyOf(parts);
    }

    /** A part of the statement. */
    public sealed interface Part {}

    /** SQL that is the same in every pass. */
    record Fixed(String sql) implements Part {}

    /**
     * The rows of a source or of another pipeline.
     *
     * @param breaks line breaks of the call, to be kept
     */
    record RowsOf(String id, String breaks) implements Part {}

    record WatermarkOf(String sourceId, String breaks) implements Part {}

    record RunId(String breaks) implements Part {}

    record RunStartedAt(String breaks) implements Part {}

    /** The sources whose watermark the statement asks for. */
    public Set<String> watermarks() {
        Set<String> ids = new TreeSet<>();
        for (Part part : parts) {
            if (part instanceof WatermarkOf watermark) {
                ids.add(watermark.sourceId());
            }
        }
        return ids;
    }

    /** The same statement with an expression in place of the watermark of a source: for a reader, not for a run. */
    public CompiledSql withWatermark(String sourceId, String expression) {
        return new CompiledSql(parts.stream()
                .map(part ->
                        part instanceof WatermarkOf wanted && wanted.sourceId().equals(sourceId)
                                ? new Fixed(expression + wanted.breaks())
                                : part)
                .toList());
    }

    /**
     * The SELECT for one pass, a line break at its end; it is no statement with a semicolon, and may stand in brackets.
     *
     * @throws IllegalArgumentException when the context lacks a watermark the statement asks for: a programming error
     */
    public String render(RenderContext context) {
        StringBuilder sql = new StringBuilder();
        for (Part part : parts) {
            sql.append(render(part, context));
        }
        return sql.append('\n').toString();
    }

    private static String render(Part part, RenderContext context) {
        if (part instanceof Fixed fixed) {
            return fixed.sql();
        }
        if (part instanceof RunId run) {
            return "'" + context.runId().replace("'", "''") + "'" + run.breaks();
        }
        if (part instanceof RunStartedAt started) {
            Instant at = context.runStartedAt().truncatedTo(ChronoUnit.MICROS);
            return "CAST('" + at + "' AS TIMESTAMP WITH TIME ZONE)" + started.breaks();
        }
        if (part instanceof RowsOf rows) {
            String relation = context.relations().getOrDefault(rows.id(), rows.id());
            return "staging.\"" + relation + "\"" + rows.breaks();
        }
        WatermarkOf wanted = (WatermarkOf) part;
        RenderContext.Watermark watermark = context.watermarks().get(wanted.sourceId());
        if (watermark == null) {
            throw new IllegalArgumentException("no watermark of " + wanted.sourceId());
        }
        return CursorLiteral.of(watermark) + wanted.breaks();
    }
}
