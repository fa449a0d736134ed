package dev.weir.plan;

import dev.weir.project.Place;
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
    public sealed interface Part {

        /** What stands for it in the pipeline's file. */
        String written();

        /** The line breaks of that, to be kept. */
        default String breaks() {
            return written().replaceAll("[^\\n]", "");
        }
    }

    /** SQL that is the same in every pass, with as many line breaks as its text in the file. */
    record Fixed(String sql, String written) implements Part {

        /** SQL that stands so in the file. */
        static Fixed verbatim(String sql) {
            return new Fixed(sql, sql);
        }

        boolean isVerbatim() {
            return sql.equals(written);
        }
    }

    /** The rows of a source or of another pipeline. */
    record RowsOf(String id, String written) implements Part {}

    record WatermarkOf(String sourceId, String written) implements Part {}

    record RunId(String written) implements Part {}

    record RunStartedAt(String written) implements Part {}

    /** The statement as it stands in the pipeline's file, but for what was cut out of it. */
    String written() {
        return String.join("", parts.stream().map(Part::written).toList());
    }

    /** What is the same in every pass, the values of variables in it, which may be secrets. */
    String fixed() {
        return String.join(
                "",
                parts.stream()
                        .map(part -> part instanceof Fixed fixed ? fixed.sql() : part.written())
                        .toList());
    }

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
                                ? new Fixed(expression + wanted.breaks(), wanted.written())
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

    /**
     * The place in the pipeline's file that a place in the rendered statement comes from: the character itself, or the
     * beginning of the call that it was rendered of.
     *
     * @param rendered line and column in {@link #render} with the same context, and the pipeline's file
     */
    public Place written(RenderContext context, Place rendered) {
        int line = 1;
        int column = 1;
        int shown = 1;
        for (Part part : parts) {
            String[] from = part.written().split("\n", -1);
            String[] to = render(part, context).split("\n", -1);
            for (int i = 0; i < to.length; i++) {
                if (i > 0) {
                    if (line == rendered.line()) {
                        return new Place(rendered.file(), line, column + rendered.column() - shown);
                    }
                    line++;
                    column = 1;
                    shown = 1;
                }
                int within = rendered.column() - shown;
                if (line == rendered.line() && within < length(to[i])) {
                    return new Place(rendered.file(), line, to[i].equals(from[i]) ? column + within : column);
                }
                column += length(from[i]);
                shown += length(to[i]);
            }
        }
        return line == rendered.line() ? new Place(rendered.file(), line, column) : rendered;
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
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
