package dev.weir.run;

import dev.weir.connector.Column;
import dev.weir.connector.Fit;
import dev.weir.connector.Sink;
import dev.weir.fault.RunException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Gives the tables of sinks the columns their pipelines have got, where {@code on_schema_change} asks for it: each in a
 * transaction of its own, before any row is written.
 */
final class TableChanges {

    private final Connections connections;
    private final Consumer<String> notes;

    TableChanges(Connections connections, Consumer<String> notes) {
        this.connections = connections;
        this.notes = notes;
    }

    /**
     * Does and says what the sinks call for.
     *
     * @return the bindings as they are then: a sink whose table could not be altered is among the failed ones
     */
    Bindings make(Bindings bindings) {
        List<BoundPipeline> pipelines = new ArrayList<>();
        Map<String, RunException> failed = new LinkedHashMap<>(bindings.failedSinks());
        for (BoundPipeline pipeline : bindings.pipelines()) {
            List<BoundSink> sinks = new ArrayList<>();
            for (BoundSink sink : pipeline.sinks()) {
                try {
                    sinks.add(make(pipeline, sink));
                } catch (RunException e) {
                    failed.put(sink.name(), e);
                }
            }
            pipelines.add(pipeline.writing(sinks));
        }
        return bindings.with(pipelines, failed);
    }

    /** @throws RunException when the table of one of the sinks could not be altered */
    BoundPipeline make(BoundPipeline pipeline) {
        return pipeline.writing(
                pipeline.sinks().stream().map(sink -> make(pipeline, sink)).toList());
    }

    private BoundSink make(BoundPipeline pipeline, BoundSink sink) {
        if (sink.fit().isEmpty()) {
            return sink;
        }
        // What another sink needs of the same table may have been done since.
        BoundSink today =
                sink.fit().get().alters() ? ask(sink, opened -> PipelineBinder.fitted(pipeline, sink, opened)) : sink;
        Fit fit = today.fit().orElseThrow();
        told(today, fit).forEach(notes);
        if (!fit.alters()) {
            return today;
        }
        return ask(today, opened -> {
            opened.alter(today.node().table(), fit);
            return PipelineBinder.fitted(pipeline, today, opened);
        });
    }

    private BoundSink ask(BoundSink sink, Function<Sink, BoundSink> work) {
        String connection = sink.node().connection();
        return connections
                .retries(connection)
                .run(() -> connections.writing(connection, work), Retries.Listener.SILENT);
    }

    private static List<String> told(BoundSink sink, Fit fit) {
        List<String> told = new ArrayList<>();
        String policy = " (on_schema_change: " + sink.node().onSchemaChange() + ")";
        String id = sink.node().id();
        if (!fit.added().isEmpty()) {
            told.add(id + ": the table gets " + columns(fit.added()) + policy + "; rows it holds have NULL there");
        }
        if (!fit.widened().isEmpty()) {
            told.add(id + ": the table's types are widened: " + columns(fit.widened()) + policy);
        }
        if (!fit.ignored().isEmpty()) {
            told.add(id + ": not written, since the table has no such column: " + columns(fit.ignored()) + policy);
        }
        if (!fit.kept().isEmpty() && !sink.node().keepColumns()) {
            String left =
                    sink.node().writesAnew() ? "empty in the rows that are written" : "left as it is in the table";
            told.add(id + ": not produced any more, and " + left + ": " + String.join(", ", fit.kept()) + policy);
        }
        return told;
    }

    private static String columns(List<Column> columns) {
        return columns.stream()
                .map(column -> column.name() + " " + column.type())
                .collect(Collectors.joining(", "));
    }
}
