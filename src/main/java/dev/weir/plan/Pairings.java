package dev.weir.plan;

import dev.weir.connector.TableName;
import dev.weir.fault.Code;
import dev.weir.project.Problems;
import dev.weir.slicing.Strategy;
import java.util.List;

/** Which reads may feed which sinks. Source of the rules: contract, sections 2.2 and 2.3. */
final class Pairings {

    private final Problems problems;

    Pairings(Problems problems) {
        this.problems = problems;
    }

    /**
     * @param sources those whose nodes could be made
     * @param allKnown whether that is all the pipeline reads
     */
    void check(String pipeline, List<SourceNode> sources, boolean allKnown, SinkNode sink, SinkLine line) {
        List<SourceNode> incremental =
                sources.stream().filter(SourceNode::isIncremental).toList();
        if (sink.strategy() == Strategy.WINDOW && incremental.size() > 1) {
            problems.add(
                    Code.BAD_STRATEGY,
                    sink.place(),
                    "pipeline " + pipeline + " writes " + sink.id() + " in windows of one cursor, and reads "
                            + keys(incremental),
                    "write " + line.merge() + ", or a pipeline for each of the sources");
        }
        incremental.stream()
                .filter(source -> looksBack(source, sink))
                .findFirst()
                .ifPresent(source -> problems.add(
                        Code.BAD_WINDOW,
                        sink.place(),
                        "pipeline " + pipeline + " feeds " + source.key()
                                + ", which is read again by its lookback, into " + sink.id() + " with "
                                + sink.strategy() + ": the rows would come twice",
                        "write " + line.merge() + ", or take lookback out"));
        if (incremental.isEmpty()) {
            if (sink.strategy() == Strategy.WINDOW && allKnown) {
                problems.add(
                        Code.NEEDS_INCREMENTAL,
                        sink.place(),
                        "pipeline " + pipeline + " writes " + sink.id()
                                + " in windows, but reads no incremental source",
                        "give its source a sync block, or write " + line.with("strategy: 'replace'"));
            }
            return;
        }
        String read = "pipeline " + pipeline + " feeds " + keys(incremental) + ", "
                + (incremental.size() == 1 ? "an incremental read" : "incremental reads") + ", into "
                + sink.id();
        if (sink.strategy() == Strategy.REPLACE) {
            problems.add(
                    Code.INCREMENTAL_INTO_REPLACE,
                    sink.place(),
                    read + " with replace: each slice would wipe the ones before",
                    "write " + line.merge());
        }
        if (sink.strategy() == Strategy.APPEND && !sink.acceptsDuplicates() && !sink.exactlyOnce()) {
            problems.add(
                    Code.INCREMENTAL_INTO_APPEND,
                    sink.place(),
                    read + " with a plain append: a slice that is read again would be added again",
                    "write " + line.merge() + ";\n  or " + line.with("strategy: 'append', delivery: 'exactly_once'"));
        }
    }

    private static String keys(List<SourceNode> sources) {
        return String.join(" and ", sources.stream().map(SourceNode::key).toList());
    }

    private static boolean looksBack(SourceNode source, SinkNode sink) {
        boolean takesAgain = sink.strategy() == Strategy.MERGE || sink.strategy() == Strategy.WINDOW;
        return source.sync().filter(sync -> sync.lookback().isPresent()).isPresent() && !takesAgain;
    }

    /**
     * Refuses a second pipeline on a table that one pipeline replaces, whole or in windows.
     *
     * <p>{@code t} and {@code main.t} may be one table; only the system knows, and guessing wrong loses rows.
     */
    void checkShared(List<Written> all) {
        refuseTwice(all);
        for (int i = 1; i < all.size(); i++) {
            Written later = all.get(i);
            all.subList(0, i).stream()
                    .filter(earlier -> !earlier.pipeline().equals(later.pipeline()))
                    .filter(earlier -> owns(earlier.sink()) || owns(later.sink()))
                    .filter(earlier -> mayBeOne(earlier, later))
                    .findFirst()
                    .ifPresent(earlier -> shared(earlier, later));
        }
    }

    /** A pipeline's rows go into a table once. */
    private void refuseTwice(List<Written> all) {
        for (int i = 1; i < all.size(); i++) {
            Written later = all.get(i);
            boolean twice = all.subList(0, i).stream()
                    .filter(earlier -> earlier.pipeline().equals(later.pipeline()))
                    .anyMatch(earlier -> mayBeOne(earlier, later));
            if (twice) {
                problems.add(
                        Code.SHARED_SINK,
                        later.sink().place(),
                        "pipeline " + later.pipeline() + " writes "
                                + later.sink().id() + " twice",
                        "take one of the two sinks out; if they are two tables, write their schemas in both");
            }
        }
    }

    private void shared(Written earlier, Written later) {
        SinkNode owner = owns(later.sink()) ? later.sink() : earlier.sink();
        boolean same = earlier.sink().id().equals(later.sink().id());
        problems.add(
                Code.SHARED_SINK,
                later.sink().place(),
                "pipelines " + earlier.pipeline() + " and " + later.pipeline() + " both write "
                        + later.sink().id()
                        + (same
                                ? ""
                                : ", " + earlier.pipeline() + " as "
                                        + earlier.sink().id())
                        + ", and a table written with " + owner.strategy() + " belongs to one pipeline",
                same
                        ? "write to another table, or use merge in both"
                        : "if they are two tables, write their schemas in both; else write to another one");
    }

    private static boolean mayBeOne(Written one, Written other) {
        TableName a = one.sink().table();
        TableName b = other.sink().table();
        return one.database().equals(other.database()) && (a.endsIn(b) || b.endsIn(a));
    }

    /**
     * What a pipeline writes.
     *
     * @param database where it is: two connections may lead to one
     */
    record Written(String pipeline, SinkNode sink, String database) {}

    private static boolean owns(SinkNode sink) {
        return sink.strategy() == Strategy.REPLACE || sink.strategy() == Strategy.WINDOW;
    }
}
