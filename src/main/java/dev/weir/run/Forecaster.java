package dev.weir.run;

import dev.weir.connector.Snapshot;
import dev.weir.connector.Source;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.plan.PipelineNode;
import dev.weir.plan.Plan;
import dev.weir.plan.Selection;
import dev.weir.plan.SinkNode;
import dev.weir.plan.SourceNode;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Participation;
import dev.weir.slicing.Position;
import dev.weir.slicing.Slice;
import dev.weir.slicing.Target;
import java.math.BigInteger;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Carries out {@code weir plan}: says what the next pass would do. Reads, never writes. */
public final class Forecaster {

    private final Clock clock;
    private final Cancellation cancellation;
    private final Consumer<String> notes;

    /** @param notes takes what a person should know, a sentence each */
    public Forecaster(Clock clock, Cancellation cancellation, Consumer<String> notes) {
        this.clock = clock;
        this.cancellation = cancellation;
        this.notes = notes;
    }

    /**
     * The next pass.
     *
     * @param fullRefresh whether the sinks would start over
     * @throws dev.weir.fault.UsageException when something is wrong with the project
     */
    public Forecast forecast(Plan whole, Selection selection, boolean fullRefresh) {
        Plan plan = selection.in(whole, clock.instant());
        try (Looking looking = new Looking(whole, plan, clock, cancellation)) {
            Bindings bindings = withSinksHeldElsewhere(looking.bind(notes));
            Map<String, SourceTime> times =
                    SourceTime.of(bindings, looking.now(), Settling.looking(looking.scope(), notes), notes);
            WindowWidths widths = new WindowWidths(
                    fullRefresh ? WindowWidths.Earlier.NONE : looking.scope().remembered()::width);
            Map<String, Forecast.OfSource> forecasts = new HashMap<>();
            for (Component component : Component.of(bindings, times)) {
                Comparison.Compared found = new Comparison(looking.scope(), "plan", component).compare(fullRefresh);
                Comparison.Compared compared = found.without(new SliceGuard(looking.scope()).refused(component, found));
                for (BoundSource source : component.sources()) {
                    SourceTime time = times.get(source.node().id());
                    forecasts.put(source.node().id(), incremental(looking, component, compared, source, time, widths));
                }
            }
            List<Forecast.OfSource> sources = plan.sources().stream()
                    .map(node ->
                            Optional.ofNullable(forecasts.get(node.id())).orElseGet(() -> other(plan, bindings, node)))
                    .toList();
            return new Forecast(looking.now(), sources);
        }
    }

    /** Sinks that another process holds are taken as they were planned: state's word tells where they stand. */
    private static Bindings withSinksHeldElsewhere(Bindings bindings) {
        Map<String, RunException> failed = new HashMap<>(bindings.failedSinks());
        failed.values().removeIf(failure -> failure.fault().code() == Code.HELD_ELSEWHERE);
        List<BoundPipeline> pipelines = bindings.pipelines().stream()
                .map(pipeline -> pipeline.writing(pipeline.node().sinks().stream()
                        .map(sink -> new BoundSink(pipeline.name(), sink, Optional.empty()))
                        .filter(sink -> !failed.containsKey(sink.name()))
                        .toList()))
                .toList();
        return new Bindings(bindings.sources(), bindings.clocks(), pipelines, bindings.failedSources(), failed);
    }

    /** A source that is read in full, or that could not be bound, or whose sinks could not. */
    private static Forecast.OfSource other(Plan plan, Bindings bindings, SourceNode node) {
        List<Forecast.OfSink> sinks = new ArrayList<>();
        for (PipelineNode pipeline : plan.below(node)) {
            for (SinkNode sink : pipeline.sinks()) {
                Optional<String> refusal = Optional.ofNullable(
                                bindings.failedSinks().get(BoundSink.name(pipeline.name(), sink)))
                        .map(RunException::getMessage);
                sinks.add(new Forecast.OfSink(
                        pipeline.name(),
                        sink,
                        Optional.empty(),
                        refusal.isEmpty(),
                        List.of(),
                        refusal,
                        Optional.empty()));
            }
        }
        Optional<String> failure =
                Optional.ofNullable(bindings.failedSources().get(node.id())).map(RunException::getMessage);
        return new Forecast.OfSource(node.id(), node.key(), node.isIncremental(), Optional.empty(), failure, sinks);
    }

    private Forecast.OfSource incremental(
            Looking looking,
            Component component,
            Comparison.Compared compared,
            BoundSource source,
            SourceTime time,
            WindowWidths widths) {
        Map<String, @Nullable CursorValue> positions = compared.positions(source);
        Map<String, String> notRead = new HashMap<>();
        for (BoundSink sink : component.sinks(source)) {
            RunException failure = compared.refused().get(sink.name());
            if (failure != null && isUnread(failure)) {
                notRead.put(sink.name(), failure.getMessage());
                positions.put(sink.name(), remembered(looking, source, sink));
            }
        }
        Participation participation = Participation.of(positions);
        List<Forecast.OfSink> sinks = new ArrayList<>();
        for (BoundSink sink : component.sinks(source)) {
            sinks.add(sink(compared, source, sink, positions, participation, notRead));
        }
        if (positions.isEmpty()) {
            return new Forecast.OfSource(
                    source.node().id(), source.node().key(), true, Optional.empty(), Optional.empty(), sinks);
        }
        try {
            time.check();
            Forecast.Next next = looking.reading(source, opened -> {
                BoundSource sized = widths.sized(source, opened, participation.lower(), time.ceiling());
                SliceReader.Asked asked = SliceReader.Asked.of(sized, time, participation, compared.of(source), true);
                return next(sized, opened, time, positions, asked, target(source));
            });
            return new Forecast.OfSource(
                    source.node().id(), source.node().key(), true, Optional.of(next), Optional.empty(), sinks);
        } catch (RunException e) {
            return new Forecast.OfSource(
                    source.node().id(),
                    source.node().key(),
                    true,
                    Optional.empty(),
                    Optional.of(e.getMessage()),
                    sinks);
        }
    }

    private static @Nullable Target target(BoundSource source) {
        return source.incremental().orElseThrow().sync().target();
    }

    /** Whether the sink could not be asked, and has nothing against the run itself. */
    private static boolean isUnread(RunException failure) {
        Code code = failure.fault().code();
        return code == Code.SINK || code == Code.SOURCE || code == Code.HELD_ELSEWHERE;
    }

    private static @Nullable CursorValue remembered(Looking looking, BoundSource source, BoundSink sink) {
        Position position = looking.scope()
                .remembered()
                .positions(source.node().key())
                .get(sink.key(looking.scope().plan().project(), source.node().key()));
        boolean same = position != null
                && position.cursor().equals(source.incremental().orElseThrow().cursor());
        return same ? position.value() : null;
    }

    private static Forecast.OfSink sink(
            Comparison.Compared compared,
            BoundSource source,
            BoundSink sink,
            Map<String, @Nullable CursorValue> positions,
            Participation participation,
            Map<String, String> notRead) {
        Optional<Comparison.Ready> ready = compared.of(source).stream()
                .filter(one -> one.name().equals(sink.name()))
                .findFirst();
        Optional<String> refusal = Optional.ofNullable(compared.refused().get(sink.name()))
                .filter(failure -> !notRead.containsKey(sink.name()))
                .map(RunException::getMessage);
        return new Forecast.OfSink(
                sink.pipeline(),
                sink.node(),
                Optional.ofNullable(positions.get(sink.name())),
                participation.participants().contains(sink.name()),
                ready.map(Adoption::said).orElse(List.of()),
                refusal,
                Optional.ofNullable(notRead.get(sink.name())));
    }

    /** @param target what the width of the window was chosen for; null: it was not chosen */
    private static Forecast.Next next(
            BoundSource source,
            Source opened,
            SourceTime time,
            Map<String, @Nullable CursorValue> positions,
            SliceReader.Asked asked,
            @Nullable Target target) {
        BoundSource.Incremental incremental = source.incremental().orElseThrow();
        try (Snapshot snapshot = opened.open(source.request())) {
            Slice slice = asked.slice() instanceof Slice.Lowest first
                    ? first.from(snapshot.lowest(first.range()))
                    : asked.slice();
            Optional<CursorRange> window =
                    slice instanceof Slice.Window found ? Optional.of(found.rows()) : Optional.empty();
            CursorValue end = time.ceiling().orElse(incremental.sync().type().greatest());
            Optional<CursorRange> left = window.map(range -> new CursorRange(range.from(), range.fromInclusive(), end));
            long rowsLeft = count(snapshot, left);
            PassesLeft passes = window.isEmpty()
                    ? PassesLeft.LAST
                    : PassesLeft.of(snapshot, incremental.sync(), time.ceiling(), positions, rowsLeft);
            long rows = count(snapshot, window);
            if (target != null && window.isPresent()) {
                passes = passes.about(target, about(rowsLeft, rows, window.get(), time.ceiling()));
            }
            long rowsAgain = asked.again().stream()
                    .mapToLong(range -> snapshot.count(range, Forecast.COUNTED))
                    .sum();
            return new Forecast.Next(
                    incremental.cursor(),
                    Optional.ofNullable(Participation.lowest(positions)),
                    time.ceiling(),
                    window,
                    rows,
                    rowsLeft,
                    passes.most(),
                    passes.exact(),
                    window.filter(range -> target != null)
                            .map(range -> incremental.sync().maxWindow()),
                    asked.again(),
                    rowsAgain,
                    time.heldBack());
        }
    }

    /** About how many rows there are up to the ceiling: beyond what is counted, if they lie as close as in the window. */
    private static Optional<BigInteger> about(
            long rowsLeft, long rows, CursorRange window, Optional<CursorValue> ceiling) {
        if (rowsLeft < Forecast.COUNTED) {
            return Optional.of(BigInteger.valueOf(rowsLeft));
        }
        return ceiling.map(end -> span(window, end)
                .multiply(BigInteger.valueOf(rows))
                .divide(span(window, window.to()).max(BigInteger.ONE))
                .max(BigInteger.valueOf(rowsLeft)));
    }

    private static BigInteger span(CursorRange window, CursorValue end) {
        return end.units().subtract(window.from().units());
    }

    private static long count(Snapshot snapshot, Optional<CursorRange> range) {
        return range.map(found -> snapshot.count(found, Forecast.COUNTED)).orElse(0L);
    }
}
