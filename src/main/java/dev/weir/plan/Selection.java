package dev.weir.plan;

import dev.weir.connector.TableName;
import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.UsageException;
import dev.weir.project.Nearest;
import dev.weir.slicing.Moment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which sinks of a plan are meant. Source of the words: contract, section 4.
 *
 * @param terms pipelines by name; {@code +name}: with those it reads; {@code name+}: with those that read it; {@code
 *     source:connection.entity}: those that read it, directly or not; {@code sink:connection.entity}: what writes it
 * @param all whether all of them are meant
 */
public record Selection(List<String> terms, boolean all) {

    private static final String SOURCE = "source:";
    private static final String SINK = "sink:";

    public Selection {
        terms = List.copyOf(terms);
    }

    public static Selection everything() {
        return new Selection(List.of(), true);
    }

    public static Selection of(String... terms) {
        return new Selection(List.of(terms), false);
    }

    /**
     * The plan of what is selected, with the pipelines it reads, their sources, and the connections they use.
     *
     * @param startedAt what {@code now} stands for in the queries of sources
     * @throws UsageException {@code WR0208} for terms that select nothing, and when nothing is selected, except in a
     *     project with one pipeline, which nothing selects; {@code WR0207} when nothing selected writes anything; {@code
     *     WR0606} when something selected reads a query that only a backfill can read
     */
    public Plan in(Plan plan, Instant startedAt) {
        List<String> known =
                plan.pipelines().stream().map(PipelineNode::name).sorted().toList();
        if (known.isEmpty()) {
            throw refused("the project has no pipelines", "add one as pipelines/NAME.sql");
        }
        if (all && !terms.isEmpty()) {
            throw refused("both --all and " + String.join(", ", terms) + " are given", "keep one of the two");
        }
        if (!all && terms.isEmpty() && known.size() > 1) {
            throw refused(
                    "nothing is selected",
                    "name pipelines, or take all of them with --all; known: " + String.join(", ", known));
        }
        if (terms.stream().anyMatch(String::isBlank)) {
            throw refused("an empty selection", "write a name, +NAME, NAME+, source:CONN.ENTITY or sink:CONN.ENTITY");
        }
        Set<SinkNode> sinks = new LinkedHashSet<>();
        if (all || terms.isEmpty()) {
            sinks.addAll(plan.sinks());
        }
        List<Fault> faults = new ArrayList<>();
        for (String term : terms) {
            select(plan, term, sinks, faults);
        }
        if (!faults.isEmpty()) {
            throw new UsageException(faults);
        }
        if (sinks.isEmpty()) {
            throw new UsageException(
                    Code.NO_SINK,
                    known.size() == 1 ? plan.pipelines().get(0).place().toString() : "selection",
                    (terms.isEmpty() ? known.get(0) : String.join(", ", terms)) + " writes nothing: it has no sink",
                    "begin one with INSERT INTO {{ sink('connection', 'table', strategy: 'merge', keys: ['id']) }};"
                            + " NAME+ selects the pipelines that read NAME");
        }
        return startedAt(startedAt, restrict(plan, sinks));
    }

    /**
     * The plan of one pipeline, whether it writes or not, and of all that reads it: for looking, not for loading.
     *
     * @param startedAt what {@code now} stands for in the queries of sources
     * @throws UsageException {@code WR0208} when it is not the name of one pipeline; {@code WR0606} as {@link #in}
     */
    public Plan reading(Plan plan, Instant startedAt) {
        List<String> known =
                plan.pipelines().stream().map(PipelineNode::name).sorted().toList();
        if (terms.size() != 1 || !known.contains(terms.get(0))) {
            throw refused(
                    terms.size() == 1 ? "there is no pipeline '" + terms.get(0) + "'" : "one pipeline is wanted",
                    Nearest.hint(terms.isEmpty() ? "" : terms.get(0), known));
        }
        String name = terms.get(0);
        PipelineNode wanted = plan.pipeline(name);
        Set<String> needed = new LinkedHashSet<>();
        for (PipelineNode node : wanted.isLoaded() ? List.of(wanted) : related(plan, name, false, true)) {
            needed.add(node.name());
            plan.upstream(node).forEach(read -> needed.add(read.name()));
        }
        Set<String> loaded = wanted.isLoaded() ? Set.of(name) : needed;
        List<PipelineNode> pipelines = plan.pipelines().stream()
                .filter(node -> needed.contains(node.name()))
                .map(node -> loaded.contains(node.name()) ? node : node.writing(List.of()))
                .toList();
        return startedAt(startedAt, plan.restrictedTo(pipelines));
    }

    private static void select(Plan plan, String term, Set<SinkNode> sinks, List<Fault> faults) {
        List<String> known =
                plan.pipelines().stream().map(PipelineNode::name).sorted().toList();
        if (known.contains(term)) {
            sinks.addAll(plan.pipeline(term).sinks());
        } else if (term.startsWith(SOURCE)) {
            selectSource(plan, term, sinks, faults);
        } else if (term.startsWith(SINK)) {
            selectSink(plan, term, sinks, faults);
        } else {
            boolean above = term.startsWith("+");
            boolean below = term.length() > 1 && term.endsWith("+");
            String name = term.substring(above ? 1 : 0, term.length() - (below ? 1 : 0));
            if (!known.contains(name)) {
                faults.add(fault("there is no pipeline '" + name + "'", Nearest.hint(name, known)));
                return;
            }
            related(plan, name, above, below).forEach(node -> sinks.addAll(node.sinks()));
        }
    }

    private static List<PipelineNode> related(Plan plan, String name, boolean above, boolean below) {
        Set<String> names = new LinkedHashSet<>(List.of(name));
        if (above) {
            plan.upstream(plan.pipeline(name)).forEach(node -> names.add(node.name()));
        }
        if (below) {
            plan.pipelines().stream()
                    .filter(node -> plan.upstream(node).stream()
                            .anyMatch(read -> read.name().equals(name)))
                    .forEach(node -> names.add(node.name()));
        }
        return plan.pipelines().stream()
                .filter(node -> names.contains(node.name()))
                .toList();
    }

    private static void selectSource(Plan plan, String term, Set<SinkNode> sinks, List<Fault> faults) {
        try {
            SourceNode source = Keys.resolve(plan, term.substring(SOURCE.length()));
            plan.below(source).forEach(node -> sinks.addAll(node.sinks()));
        } catch (UsageException e) {
            e.faults().forEach(found -> faults.add(fault(term + ": " + found.what(), found.remedy())));
        }
    }

    private static void selectSink(Plan plan, String term, Set<SinkNode> sinks, List<Fault> faults) {
        String key = term.substring(SINK.length());
        List<SinkNode> exact =
                plan.sinks().stream().filter(sink -> sink.id().equals(key)).toList();
        List<SinkNode> found = exact.isEmpty()
                ? plan.sinks().stream().filter(sink -> endsIn(sink, key)).toList()
                : exact;
        List<String> ids = found.stream().map(SinkNode::id).distinct().toList();
        if (ids.isEmpty()) {
            List<String> known =
                    plan.sinks().stream().map(SinkNode::id).distinct().toList();
            faults.add(fault("no pipeline writes '" + key + "'", Nearest.hint(key, known)));
        } else if (ids.size() > 1) {
            faults.add(fault("'" + key + "' means more than one sink", "write one of: " + String.join(", ", ids)));
        } else {
            sinks.addAll(found);
        }
    }

    private static boolean endsIn(SinkNode sink, String key) {
        String prefix = sink.connection() + ".";
        if (!key.startsWith(prefix)) {
            return false;
        }
        try {
            return sink.table().endsIn(TableName.parse(key.substring(prefix.length())));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static Plan restrict(Plan plan, Set<SinkNode> selected) {
        Set<String> needed = new LinkedHashSet<>();
        for (PipelineNode node : plan.pipelines()) {
            if (node.sinks().stream().anyMatch(selected::contains)) {
                needed.add(node.name());
                plan.upstream(node).forEach(read -> needed.add(read.name()));
            }
        }
        List<PipelineNode> pipelines = plan.pipelines().stream()
                .filter(node -> needed.contains(node.name()))
                .map(node -> node.writing(
                        node.sinks().stream().filter(selected::contains).toList()))
                .toList();
        return plan.restrictedTo(pipelines);
    }

    /**
     * Fills the tokens of a run.
     *
     * @throws UsageException {@code WR0606} when a source holds a token that has a value in a backfill alone
     */
    private static Plan startedAt(Instant instant, Plan plan) {
        List<Fault> faults = new ArrayList<>();
        for (SourceNode source : plan.sources()) {
            source.tokens().ifPresent(query -> query.text().ofBackfill().ifPresent(token -> {
                String pipeline = plan.below(source).stream()
                        .map(PipelineNode::name)
                        .findFirst()
                        .orElse("PIPELINE");
                faults.add(new Fault(
                        Code.BAD_TOKEN,
                        query.place().toString(),
                        source.key() + ": the token " + token + " is for backfills",
                        "run 'weir backfill " + pipeline + " --from … --to …'"));
            }));
        }
        if (!faults.isEmpty()) {
            throw new UsageException(faults);
        }
        return plan.at(new Moment.OfRun(instant));
    }

    private static UsageException refused(String what, String remedy) {
        return new UsageException(List.of(fault(what, remedy)));
    }

    private static Fault fault(String what, String remedy) {
        return new Fault(Code.BAD_SELECTION, "selection", what, remedy);
    }
}
