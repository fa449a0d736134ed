package dev.weir.run;

import dev.weir.connector.Staged;
import dev.weir.fault.RunException;
import dev.weir.plan.Plan;
import dev.weir.plan.Selection;
import dev.weir.slicing.Advance;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Participation;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Carries out {@code weir preview}: the rows of the next slice after the SQL. Nothing is written. */
public final class Previewer {

    private final Clock clock;
    private final Cancellation cancellation;
    private final Consumer<String> notes;

    /** @param notes takes what a person should know, a sentence each */
    public Previewer(Clock clock, Cancellation cancellation, Consumer<String> notes) {
        this.clock = clock;
        this.cancellation = cancellation;
        this.notes = notes;
    }

    /**
     * Runs a pipeline over its next slice. An intermediate result is previewed over the slices of all that is below it.
     *
     * @param name the pipeline's name
     * @param limit at most so many rows are returned
     * @throws dev.weir.fault.UsageException when there is no such pipeline, or something is wrong with the project
     * @throws RunException when a source cannot be read, or the SQL fails
     */
    public Preview preview(Plan whole, String name, int limit) {
        Plan plan = Selection.of(name).reading(whole, clock.instant());
        try (Looking looking = new Looking(whole, plan, clock, cancellation)) {
            Bindings bindings = looking.bind(notes);
            bindings.failedSources().values().stream().findFirst().ifPresent(failure -> {
                throw failure;
            });
            BoundPipeline pipeline = bindings.pipeline(name).orElseThrow();
            Staged rows = pipeline.scopedSources().isEmpty()
                    ? full(looking, bindings, pipeline)
                    : slice(looking, bindings, pipeline);
            return new Preview(rows.columns(), looking.engine().peek(rows, limit), rows.rows());
        }
    }

    private Staged full(Looking looking, Bindings bindings, BoundPipeline pipeline) {
        stageFull(looking, bindings, pipeline);
        Outputs outputs = new Outputs(looking.engine(), looking.scope(), "preview", looking.now(), bindings, Map.of());
        return outputs.of(new Outputs.Choice(pipeline.name(), Map.of()));
    }

    private Staged slice(Looking looking, Bindings bindings, BoundPipeline pipeline) {
        Map<String, SourceTime> times =
                SourceTime.of(bindings, looking.now(), Settling.looking(looking.scope(), notes), notes);
        Map<String, Turn> turns = new LinkedHashMap<>();
        Map<String, Turn.Feed> feeds = new LinkedHashMap<>();
        for (BoundSource source : sources(bindings, pipeline)) {
            Turn turn = turn(looking, bindings, source, times);
            turns.put(source.node().id(), turn);
            feeds.put(source.node().id(), new Turn.Feed(true, Optional.empty()));
        }
        stageFull(looking, bindings, pipeline);
        Outputs outputs = new Outputs(looking.engine(), looking.scope(), "preview", looking.now(), bindings, turns);
        return outputs.of(new Outputs.Choice(pipeline.name(), feeds));
    }

    private static List<BoundSource> sources(Bindings bindings, BoundPipeline pipeline) {
        return pipeline.scopedSources().stream()
                .map(node -> bindings.sources().get(node.id()))
                .toList();
    }

    private Turn turn(Looking looking, Bindings bindings, BoundSource source, Map<String, SourceTime> times) {
        List<Comparison.Ready> ready = new ArrayList<>();
        Participation participation = Participation.of(Map.of());
        for (Component component : Component.of(bindings, times)) {
            if (component.sources().contains(source)) {
                Comparison.Compared compared = new Comparison(looking.scope(), "preview", component).compare(false);
                compared.refused().values().forEach(refusal -> notes.accept(refusal.getMessage()));
                ready.addAll(compared.of(source));
                participation = Participation.of(compared.positions(source));
            }
        }
        SourceTime time = times.get(source.node().id());
        time.check();
        WindowWidths widths = new WindowWidths(looking.scope().remembered()::width);
        CursorValue lower = participation.lower();
        BoundSource sized = looking.reading(source, opened -> widths.sized(source, opened, lower, time.ceiling()));
        SliceReader.Asked asked = SliceReader.Asked.of(sized, time, participation, ready, false);
        SliceReader.Read read = asked.isNothing()
                ? SliceReader.Read.nothing(asked)
                : looking.reading(source, opened -> new SliceReader(looking.engine())
                        .read(source, opened, asked, rows -> cancellation.check()));
        Advance advance = Advance.of(read.slice(), participation.lower(), read.rows(), read.max(), read.next());
        return new Turn(source, participation, read, advance);
    }

    private void stageFull(Looking looking, Bindings bindings, BoundPipeline pipeline) {
        for (BoundSource source : bindings.sources().values()) {
            if (source.incremental().isEmpty() && pipeline.reads(source.node())) {
                looking.reading(source, opened -> new SliceReader(looking.engine())
                        .readWhole(source, opened, rows -> cancellation.check()));
            }
        }
        Outputs outputs = new Outputs(looking.engine(), looking.scope(), "preview", looking.now(), bindings, Map.of());
        for (BoundPipeline above : bindings.upstream(looking.scope().plan(), pipeline)) {
            if (above.scopedSources().isEmpty()) {
                outputs.of(new Outputs.Choice(above.name(), Map.of()));
            }
        }
    }
}
