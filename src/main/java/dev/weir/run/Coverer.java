package dev.weir.run;

import dev.weir.connector.Sink;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.fault.UsageException;
import dev.weir.plan.PipelineNode;
import dev.weir.plan.Plan;
import dev.weir.plan.SinkNode;
import dev.weir.plan.SourceNode;
import dev.weir.plan.SyncText;
import dev.weir.project.Nearest;
import dev.weir.slicing.ChunkMark;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.Mark;
import dev.weir.slicing.PositionKey;
import dev.weir.state.BackfillChunks;
import dev.weir.state.LoadedStretch;
import dev.weir.state.StateStore;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Carries out {@code weir coverage}: says which values of its cursors a pipeline has loaded. Asks the sinks, and state where
 * a sink does not answer; reads, never writes.
 *
 * <p>Rehearsals in other connections ({@code --into}) are none of the pipeline's sinks and left out.
 */
public final class Coverer {

    /** Between the sources that a chunk was read from, and between their cursors. */
    private static final String SEVERAL = ", ";

    private final Clock clock;
    private final Cancellation cancellation;

    public Coverer(Clock clock, Cancellation cancellation) {
        this.clock = clock;
        this.cancellation = cancellation;
    }

    /**
     * What the pipeline has loaded.
     *
     * @throws UsageException when there is no such pipeline, or it writes nothing
     * @throws RunException {@code WR0518} when state cannot be read
     */
    public CoverageReport coverage(Plan whole, String pipeline) {
        PipelineNode node = find(whole, pipeline);
        try (Looking looking = new Looking(whole, whole, clock, cancellation)) {
            List<CoverageReport.OfSink> sinks = new ArrayList<>();
            Question question = new Question(looking, node, remembered(looking, whole, pipeline));
            for (SinkNode sink : node.sinks()) {
                sinks.add(question.of(sink));
            }
            return new CoverageReport(pipeline, looking.now(), sinks);
        }
    }

    private static List<LoadedStretch> remembered(Looking looking, Plan whole, String pipeline) {
        return looking.state()
                .map(state -> state.stretchesOf(whole.project(), pipeline))
                .orElse(List.of());
    }

    private static PipelineNode find(Plan whole, String pipeline) {
        List<String> known = whole.pipelines().stream().map(PipelineNode::name).toList();
        if (!known.contains(pipeline)) {
            throw new UsageException(
                    Code.UNKNOWN_PIPELINE,
                    "PIPELINE",
                    "there is no pipeline '" + pipeline + "'",
                    Nearest.hint(pipeline, known));
        }
        PipelineNode node = whole.pipeline(pipeline);
        if (!node.isLoaded()) {
            throw new UsageException(
                    Code.NO_SINK,
                    node.place().toString(),
                    pipeline + " writes nothing: it has no sink",
                    "name a pipeline that reads it and has one");
        }
        return node;
    }

    /** What is asked of each sink of one pipeline. */
    private record Question(Looking looking, PipelineNode pipeline, List<LoadedStretch> remembered) {

        private Plan plan() {
            return looking.scope().whole();
        }

        CoverageReport.OfSink of(SinkNode sink) {
            try {
                return report(sink, Optional.empty(), kept(sink));
            } catch (RunException e) {
                looking.scope().cancellation().check();
                return report(sink, Optional.of(e.getMessage()), stated(sink));
            }
        }

        /** What the sink itself keeps, by source. */
        private Map<String, List<LoadedPart>> kept(SinkNode sink) {
            Connections connections = looking.scope().connections();
            return connections
                    .retries(sink.connection())
                    .run(
                            () -> {
                                looking.scope().cancellation().check();
                                return connections.writing(sink.connection(), opened -> kept(sink, opened));
                            },
                            Retries.Listener.SILENT);
        }

        private Map<String, List<LoadedPart>> kept(SinkNode sink, Sink opened) {
            Map<String, List<LoadedPart>> parts = new TreeMap<>();
            for (PositionKey key : opened.marked(sink.table(), sink.id())) {
                if (key.project().equals(plan().project()) && key.pipeline().equals(pipeline.name())) {
                    for (Mark mark : opened.marks(sink.table(), key)) {
                        LoadedPart.of(mark, remembered(key, mark)).ifPresent(part -> add(parts, key.source(), part));
                    }
                }
            }
            for (ChunkMark chunk : opened.chunksOfAll(sink.table(), plan().project(), pipeline.name(), sink.id())) {
                for (String source : sources(chunk)) {
                    add(parts, source, LoadedPart.of(chunk, cursor(chunk.cursor(), source)));
                }
            }
            return parts;
        }

        private List<LoadedStretch> remembered(PositionKey key, Mark mark) {
            return remembered.stream()
                    .filter(stretch -> stretch.key().equals(key)
                            && stretch.generation() == mark.generation()
                            && stretch.cursor().equals(mark.cursor()))
                    .toList();
        }

        private static void add(Map<String, List<LoadedPart>> parts, String source, LoadedPart part) {
            parts.computeIfAbsent(source, key -> new ArrayList<>()).add(part);
        }

        /** An entity may have the sign between several in its own name. */
        private List<String> sources(ChunkMark chunk) {
            boolean isOne =
                    plan().sources().stream().anyMatch(source -> source.key().equals(chunk.source()));
            return isOne ? List.of(chunk.source()) : List.of(chunk.source().split(SEVERAL));
        }

        /** Of the cursors of several sources, the one that is the source's own. */
        private Cursor cursor(Cursor cursor, String source) {
            return today(source)
                    .filter(own -> List.of(cursor.column().split(SEVERAL)).contains(own))
                    .map(own -> new Cursor(own, cursor.type()))
                    .orElse(cursor);
        }

        private Optional<String> today(String source) {
            return plan().sources().stream()
                    .filter(node -> node.key().equals(source))
                    .flatMap(node -> node.sync().stream())
                    .map(SyncText::cursor)
                    .findFirst();
        }

        /** What state remembers of the sink, by source. */
        private Map<String, List<LoadedPart>> stated(SinkNode sink) {
            Map<String, List<LoadedPart>> parts = new TreeMap<>();
            if (looking.state().isEmpty()) {
                return parts;
            }
            StateStore state = looking.state().get();
            List<LoadedStretch> ofSink = remembered.stream()
                    .filter(stretch -> stretch.key().sink().equals(sink.id()))
                    .toList();
            ofSink.forEach(stretch -> add(parts, stretch.key().source(), LoadedPart.of(stretch)));
            state.allPositions(plan().project()).forEach((key, position) -> {
                boolean isOurs =
                        key.pipeline().equals(pipeline.name()) && key.sink().equals(sink.id());
                boolean isToldAlready = ofSink.stream()
                        .anyMatch(stretch -> stretch.key().equals(key)
                                && stretch.generation() == position.generation()
                                && stretch.cursor().equals(position.cursor()));
                if (isOurs && !isToldAlready) {
                    LoadedPart.of(position).ifPresent(part -> add(parts, key.source(), part));
                }
            });
            state.backfills().completed(plan().project(), pipeline.name()).stream()
                    .filter(completed -> completed.plan().into() == null)
                    .forEach(completed -> addChunks(completed, parts));
            return parts;
        }

        /** State does not say which sources a plan was read from: those that a range scopes. */
        private void addChunks(BackfillChunks completed, Map<String, List<LoadedPart>> parts) {
            List<String> scoped = scoped();
            List<String> sources = scoped.isEmpty()
                    ? plan().sources(pipeline).stream().map(SourceNode::key).toList()
                    : scoped;
            for (String source : sources) {
                Cursor cursor = cursor(completed.plan().cursor(), source);
                completed.chunks().forEach(chunk -> add(parts, source, LoadedPart.of(completed.plan(), chunk, cursor)));
            }
        }

        private List<String> scoped() {
            return plan().sources(pipeline).stream()
                    .filter(SourceNode::isScoped)
                    .map(SourceNode::key)
                    .toList();
        }

        private CoverageReport.OfSink report(
                SinkNode sink, Optional<String> notRead, Map<String, List<LoadedPart>> parts) {
            Map<String, List<LoadedPart>> all = new TreeMap<>(parts);
            scoped().forEach(source -> all.putIfAbsent(source, List.of()));
            List<CoverageReport.OfSource> sources = new ArrayList<>();
            all.forEach((source, ofSource) -> sources.add(report(source, ofSource)));
            return new CoverageReport.OfSink(sink.id(), notRead, sources);
        }

        private CoverageReport.OfSource report(String source, List<LoadedPart> parts) {
            Map<Cursor, List<LoadedPart>> byCursor = new LinkedHashMap<>();
            parts.forEach(part -> byCursor.computeIfAbsent(part.cursor(), key -> new ArrayList<>())
                    .add(part));
            String own = today(source).orElse("");
            return new CoverageReport.OfSource(
                    source,
                    byCursor.entrySet().stream()
                            .map(entry -> new LoadedParts(entry.getKey(), entry.getValue()).report())
                            .filter(ofCursor -> !ofCursor.stretches().isEmpty())
                            .sorted(Comparator.<CoverageReport.OfCursor, Boolean>comparing(ofCursor ->
                                            !ofCursor.cursor().column().equals(own))
                                    .thenComparing(ofCursor -> ofCursor.cursor().toString()))
                            .toList());
        }
    }
}
