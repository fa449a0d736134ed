package dev.weir.run;

import dev.weir.connector.Snapshot;
import dev.weir.event.Event;
import dev.weir.fault.RunException;
import dev.weir.plan.Plan;
import dev.weir.plan.Selection;
import dev.weir.plan.SinkNode;
import dev.weir.plan.SourceNode;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Outside;
import dev.weir.slicing.Participation;
import dev.weir.slicing.Sample;
import dev.weir.slicing.Sync;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Carries out {@code weir doctor}: connects, looks, and says what to do. Writes nothing. */
public final class Doctor {

    private static final Duration CLOCKS_AGREE = Duration.ofSeconds(1);

    private final Clock clock;
    private final Cancellation cancellation;
    private final Consumer<Finding> findings;

    /** @param findings takes each finding as it is made */
    public Doctor(Clock clock, Cancellation cancellation, Consumer<Finding> findings) {
        this.clock = clock;
        this.cancellation = cancellation;
        this.findings = finding -> {
            // What is found once it was asked to stop is the stopping.
            cancellation.check();
            findings.accept(finding);
        };
    }

    /**
     * Looks at what is selected.
     *
     * @throws dev.weir.fault.UsageException when something is wrong with the project, its SQL included
     */
    public void examine(Plan whole, Selection selection) {
        Plan plan = selection.in(whole, clock.instant());
        try (Looking looking = new Looking(whole, plan, clock, cancellation)) {
            Bindings bindings = looking.bind(note -> findings.accept(Finding.warn(plan.project(), note, "")));
            connections(plan, bindings);
            Map<String, SourceTime> times =
                    SourceTime.of(bindings, looking.now(), Settling.looking(looking.scope(), note -> {}), note -> {});
            List<Component> components = Component.of(bindings, times);
            for (Component component : components) {
                Comparison.Compared compared = new Comparison(looking.scope(), "doctor", component).compare(false);
                for (BoundSource source : component.sources()) {
                    cancellation.check();
                    source(looking, bindings, source, times.get(source.node().id()), compared);
                }
                sinks(component, compared);
            }
        }
    }

    private void connections(Plan plan, Bindings bindings) {
        Set<String> answered = new TreeSet<>();
        for (SourceNode source : plan.sources()) {
            RunException failure = bindings.failedSources().get(source.id());
            if (failure == null) {
                answered.add(source.connection());
            } else {
                findings.accept(Finding.fail(failure));
            }
        }
        plan.loaded().forEach(pipeline -> {
            for (SinkNode sink : pipeline.sinks()) {
                RunException failure = bindings.failedSinks().get(BoundSink.name(pipeline.name(), sink));
                if (failure != null) {
                    findings.accept(Finding.fail(failure));
                } else if (bindings.pipeline(pipeline.name()).isPresent()) {
                    answered.add(sink.connection());
                }
            }
        });
        answered.forEach(name -> findings.accept(Finding.ok(name, "answers")));
    }

    private void source(
            Looking looking, Bindings bindings, BoundSource source, SourceTime time, Comparison.Compared compared) {
        String key = source.node().key();
        clock(source, bindings);
        try {
            time.check();
            settling(key, time);
            Participation participation = Participation.of(compared.positions(source));
            List<Finding> found = looking.reading(source, opened -> {
                try (Snapshot snapshot = opened.open(source.request())) {
                    return cursors(source, snapshot, time, participation.lower());
                }
            });
            found.forEach(findings);
        } catch (RunException e) {
            findings.accept(Finding.fail(e));
            return;
        }
        findings.accept(
                Finding.ok(key, "cursor " + source.incremental().orElseThrow().cursor() + " can be read in windows"));
    }

    private void settling(String key, SourceTime time) {
        if (time.sample().orElse(null) instanceof Sample.Untold untold) {
            findings.accept(Finding.warn(
                    key,
                    untold + ": rows that commit late may be passed over",
                    "cover them by delay or lookback, or say settle: off"));
        } else if (time.heldBack().isPresent()) {
            findings.accept(Finding.warn(
                    key,
                    "held back by " + time.heldBack().get(),
                    "rows above its ceiling are loaded once those have ended; COMMIT PREPARED or ROLLBACK PREPARED what"
                            + " nobody ends"));
        } else if (time.sample().isPresent()) {
            findings.accept(Finding.ok(key, "rows that commit late are waited for"));
        }
    }

    private void clock(BoundSource source, Bindings bindings) {
        Bindings.Clocks clocks = bindings.clocks().get(source.node().id());
        if (clocks == null) {
            return;
        }
        Duration ahead = Duration.between(clocks.runner(), clocks.source());
        if (ahead.abs().compareTo(CLOCKS_AGREE) > 0) {
            findings.accept(Finding.warn(
                    source.node().key(),
                    "its clock is " + seconds(ahead) + " this machine's",
                    "the earlier of the two counts as now; set both by the same time server"));
        }
    }

    private static String seconds(Duration ahead) {
        String size = ahead.abs().toSeconds() + " s";
        return ahead.isNegative() ? size + " behind" : size + " ahead of";
    }

    private static List<Finding> cursors(
            BoundSource source, Snapshot snapshot, SourceTime time, @Nullable CursorValue lower) {
        String key = source.node().key();
        BoundSource.Incremental incremental = source.incremental().orElseThrow();
        Sync sync = incremental.sync();
        String column = incremental.cursor().column();
        List<Finding> found = new ArrayList<>();
        CursorRange all =
                CursorRange.startingAt(sync.type().least(), sync.type().greatest());
        if (snapshot.isIndexed(all).filter(indexed -> !indexed).isPresent()) {
            found.add(Finding.warn(
                    key,
                    "no index on the cursor " + column + " is of use: each pass reads the whole table",
                    "create an index that begins with " + column));
        }
        OutsideCounts counts = OutsideCounts.in(snapshot, Outside.of(sync, lower, time.now()));
        outside(
                found,
                key,
                counts.nullCursors(),
                "a NULL cursor",
                "give them a value; nulls: fail makes a run refuse them");
        outside(found, key, counts.infiniteCursors(), "an infinite cursor", "give them a finite value");
        outside(found, key, counts.belowInitial(), "a cursor below initial", "lower initial to load them");
        outside(found, key, counts.future(), "a cursor after now", "they are loaded once their time has come");
        return found;
    }

    private static void outside(List<Finding> found, String key, long count, String what, String remedy) {
        if (count > 0) {
            boolean more = count >= Event.RowsOutsideWindows.COUNTED;
            String rows = (more ? "at least " : "") + count + (count == 1 ? " row has " : " rows have ");
            found.add(Finding.warn(key, rows + what + ", and no window holds " + (count == 1 ? "it" : "them"), remedy));
        }
    }

    private void sinks(Component component, Comparison.Compared compared) {
        compared.refused().values().forEach(failure -> findings.accept(Finding.fail(failure)));
        for (BoundSource source : component.sources()) {
            for (Comparison.Ready ready : compared.of(source)) {
                String sink = ready.sink().node().id();
                List<String> said = Adoption.said(ready);
                said.forEach(note -> findings.accept(Finding.warn(sink, note, "the next run does so, and says it")));
                if (said.isEmpty()) {
                    CursorValue stands = ready.stands().position();
                    findings.accept(Finding.ok(
                            sink,
                            source.node().key()
                                    + (stands == null ? " is not loaded yet" : " is loaded up to " + stands)));
                }
            }
        }
    }
}
