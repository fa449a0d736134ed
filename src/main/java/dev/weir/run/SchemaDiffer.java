package dev.weir.run;

import dev.weir.connector.Column;
import dev.weir.connector.Fit;
import dev.weir.connector.SourceColumn;
import dev.weir.fault.RunException;
import dev.weir.plan.Plan;
import dev.weir.plan.Selection;
import dev.weir.plan.SinkNode;
import dev.weir.plan.SourceNode;
import dev.weir.run.SchemaDiff.Difference;
import dev.weir.run.SchemaDiff.Kind;
import dev.weir.run.SchemaDiff.OfSink;
import dev.weir.run.SchemaDiff.OfSource;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Carries out {@code weir schema diff}. Nothing is written. */
public final class SchemaDiffer {

    private final Clock clock;
    private final Cancellation cancellation;
    private final Consumer<String> notes;

    /** @param notes takes what a person should know, a sentence each */
    public SchemaDiffer(Clock clock, Cancellation cancellation, Consumer<String> notes) {
        this.clock = clock;
        this.cancellation = cancellation;
        this.notes = notes;
    }

    /**
     * Compares what is selected with the systems it connects to.
     *
     * @throws dev.weir.fault.UsageException when something is wrong with the project
     */
    public SchemaDiff diff(Plan whole, Selection selection) {
        Plan plan = selection.in(whole, clock.instant());
        try (Looking looking = new Looking(whole, plan, clock, cancellation)) {
            Bindings bindings = looking.bind(notes);
            List<OfSink> sinks = new ArrayList<>();
            for (BoundPipeline pipeline : bindings.pipelines()) {
                for (SinkNode sink : pipeline.node().sinks()) {
                    sinks.add(sink(looking, bindings, pipeline, sink));
                }
            }
            List<OfSource> sources = new ArrayList<>();
            for (SourceNode source : plan.sources()) {
                source(bindings, source).ifPresent(sources::add);
            }
            return new SchemaDiff(sinks, sources);
        }
    }

    private OfSink sink(Looking looking, Bindings bindings, BoundPipeline pipeline, SinkNode node) {
        String name = BoundSink.name(pipeline.name(), node);
        Optional<RunException> refusal =
                Optional.ofNullable(bindings.failedSinks().get(name));
        Optional<Fit> fit = pipeline.sinks().stream()
                .filter(sink -> sink.node().equals(node))
                .findFirst()
                .flatMap(BoundSink::fit);
        try {
            Optional<List<Column>> table = looking.describe(node);
            List<Difference> differences = table.map(columns -> differences(pipeline.columns(), columns, fit, node))
                    .orElse(List.of());
            return new OfSink(
                    pipeline.name(), node.id(), node.onSchemaChange(), table.isPresent(), differences, refusal);
        } catch (RunException e) {
            return new OfSink(
                    pipeline.name(),
                    node.id(),
                    node.onSchemaChange(),
                    false,
                    List.of(),
                    refusal.or(() -> Optional.of(e)));
        }
    }

    /** @param fit how they go together; empty: they do not */
    private static List<Difference> differences(
            List<Column> produced, List<Column> table, Optional<Fit> fit, SinkNode node) {
        String left = node.writesAnew() ? "is empty in rows that are written" : "is left as it is";
        List<Difference> differences = new ArrayList<>();
        for (Column column : produced) {
            Optional<Column> there = find(table, column.name());
            if (there.isEmpty()) {
                String becomes = fit.map(known -> known.added().contains(column) ? "is added" : "is not written")
                        .orElse("is refused");
                differences.add(new Difference(Kind.NEW, column.name(), column.type(), Optional.empty(), becomes));
            } else if (!there.get().type().equals(column.type())) {
                String becomes = fit.map(known -> known.widened().contains(column) ? "is widened" : "is taken")
                        .orElse("may be refused");
                differences.add(
                        new Difference(Kind.RETYPED, column.name(), column.type(), there.map(Column::type), becomes));
            }
        }
        for (Column column : table) {
            boolean missed = fit.map(known -> known.kept().contains(column.name()))
                    .orElse(find(produced, column.name()).isEmpty());
            if (missed) {
                differences.add(new Difference(
                        Kind.GONE,
                        column.name(),
                        column.type(),
                        Optional.empty(),
                        fit.isPresent() ? left : "is refused"));
            }
        }
        return differences;
    }

    private static Optional<Column> find(List<Column> columns, String name) {
        return columns.stream().filter(column -> column.name().equals(name)).findFirst();
    }

    private static Optional<OfSource> source(Bindings bindings, SourceNode node) {
        RunException failure = bindings.failedSources().get(node.id());
        if (failure != null) {
            return Optional.of(new OfSource(node.key(), List.of(), Optional.of(failure)));
        }
        BoundSource bound = bindings.sources().get(node.id());
        return node.columns().isEmpty() || bound == null
                ? Optional.empty()
                : Optional.of(new OfSource(
                        node.key(), differences(node.columns(), bound.request().catalog()), Optional.empty()));
    }

    private static List<Difference> differences(List<Column> declared, List<SourceColumn> catalog) {
        List<Difference> differences = new ArrayList<>();
        for (SourceColumn there : catalog) {
            Optional<Column> column = find(declared, there.name());
            if (column.isEmpty()) {
                differences.add(new Difference(
                        Kind.GONE,
                        there.name(),
                        there.sourceType(),
                        Optional.empty(),
                        "is not read: columns: does not name it"));
            } else if (!there.type().equals(column.map(Column::type))) {
                differences.add(new Difference(
                        Kind.RETYPED,
                        there.name(),
                        column.get().type(),
                        Optional.of(there.sourceType()),
                        "is read as declared, each value checked"));
            }
        }
        return differences;
    }
}
