package dev.weir.cli;

import dev.weir.connector.Column;
import dev.weir.plan.CompiledSql;
import dev.weir.plan.PipelineNode;
import dev.weir.plan.Plan;
import dev.weir.plan.RenderContext;
import dev.weir.plan.SinkNode;
import dev.weir.plan.SourceNode;
import dev.weir.slicing.CursorType;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The statement of a pipeline for a reader: what it reads and writes as comments, then its SQL. */
final class Statement {

    private static final String RUN_ID = "00000000T000000000Z-0000";

    private final Plan plan;
    private final Instant now;

    /** @param now stands for the time the run starts */
    Statement(Plan plan, Instant now) {
        this.plan = plan;
        this.now = now;
    }

    String of(PipelineNode pipeline) {
        StringBuilder text = new StringBuilder();
        text.append("-- pipeline ")
                .append(pipeline.name())
                .append(" (")
                .append(pipeline.place())
                .append(")\n");
        for (SourceNode source : pipeline.sources()) {
            text.append("-- reads ")
                    .append(source.key())
                    .append(" as staging.\"")
                    .append(source.id())
                    .append("\"\n");
        }
        for (String ref : pipeline.refs()) {
            text.append("-- reads pipeline ")
                    .append(ref)
                    .append(" as staging.\"")
                    .append(plan.pipeline(ref).id())
                    .append("\"\n");
        }
        for (SinkNode sink : pipeline.sinks()) {
            text.append("-- writes ")
                    .append(sink.id())
                    .append(" with ")
                    .append(sink.strategy())
                    .append('\n');
        }
        return text.append(sql(pipeline)).append(";\n").toString();
    }

    private String sql(PipelineNode pipeline) {
        CompiledSql sql = pipeline.sql();
        Map<String, RenderContext.Watermark> watermarks = new HashMap<>();
        for (SourceNode source : plan.sources()) {
            if (!sql.watermarks().contains(source.id())) {
                continue;
            }
            Optional<CursorType> type = declared(source);
            if (type.isPresent()) {
                watermarks.put(source.id(), new RenderContext.Watermark(type.get(), Optional.empty()));
            } else {
                sql = sql.withWatermark(
                        source.id(),
                        "NULL /* typed as the cursor "
                                + inComment(source.sync().orElseThrow().cursor() + " of " + source.key()) + " */");
            }
        }
        return trimmed(sql.render(new RenderContext(RUN_ID, now, Map.of(), watermarks)));
    }

    private static Optional<CursorType> declared(SourceNode source) {
        return source.columns().stream()
                .filter(column -> source.sync()
                        .filter(sync -> sync.cursor().equals(column.name()))
                        .isPresent())
                .findFirst()
                .map(Column::type)
                .flatMap(CursorType::named);
    }

    /** Without the blanks the sink's call left at its head; a semicolon may follow, also behind a comment. */
    private static String trimmed(String sql) {
        StringBuilder head = new StringBuilder();
        String rest = sql.strip();
        while (rest.startsWith("--") && rest.contains("\n")) {
            int end = rest.indexOf('\n');
            head.append(rest, 0, end).append('\n');
            rest = rest.substring(end).stripLeading();
        }
        String statement = head + rest;
        String lastLine = statement.substring(statement.lastIndexOf('\n') + 1);
        return lastLine.contains("--") ? statement + "\n" : statement;
    }

    /** A name cannot end the comment it stands in. */
    private static String inComment(String name) {
        return name.replace("*/", "* /");
    }
}
