package dev.weir.faults;

import static dev.weir.run.Faults.Point.AFTER_SINK_COMMIT;
import static dev.weir.run.Faults.Point.AFTER_STATE_WRITE;
import static dev.weir.run.Faults.Point.BEFORE_FINAL_STATUS;
import static dev.weir.run.Faults.Point.BEFORE_SINK_COMMIT;
import static dev.weir.run.Faults.Point.BEFORE_STATE_WRITE;
import static dev.weir.run.Faults.Point.COMPARED;
import static dev.weir.run.Faults.Point.LOCKED;
import static dev.weir.run.Faults.Point.MID_READ;
import static dev.weir.run.Faults.Point.STAGED;

import dev.weir.faults.Deaths.Step;
import dev.weir.run.Faults.Point;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * In which order a project dies: at each point, and there at each of its sinks.
 *
 * <p>A restart first takes up what the death before it left, and then goes on to its own.
 *
 * @param sinks how many commit in a pass, one after the other
 * @param slice in which slice the first death is
 * @param turn in which order points come where the order is of no interest; any number
 */
record Succession(int sinks, Slice slice, int turn) {

    static final String[] FULL_REFRESH = {"run", "--all", "--until-caught-up", "--full-refresh"};

    /** A slice of a source in windows of thirty. */
    enum Slice {
        FIRST(0, 0),
        /** Behind the gap, over which a pass without rows goes. */
        LATER(2, 1);

        private final int passes;
        private final int reads;

        Slice(int passes, int reads) {
            this.passes = passes;
            this.reads = reads;
        }
    }

    private static Step run(Point point, int time) {
        return Step.of(point, time, Copy.RUN);
    }

    private static Step refresh(Point point, int time) {
        return Step.of(point, time, FULL_REFRESH);
    }

    private int atSink(int sink) {
        return slice.passes * sinks + sink;
    }

    /** Above the sinks, around each commit, while each mark is adopted, and in the next pass around each state write. */
    List<Step> everywhere() {
        List<Step> steps = new ArrayList<>(aboveTheSinks());
        for (int sink = 1; sink <= sinks; sink++) {
            steps.addAll(commit());
        }
        steps.addAll(stateWrites());
        steps.add(run(BEFORE_FINAL_STATUS, 1));
        return steps;
    }

    /** The same without what is above the sinks. */
    List<Step> atTheSinks() {
        List<Step> steps = new ArrayList<>(List.of(run(BEFORE_SINK_COMMIT, atSink(1))));
        List<Step> all = everywhere();
        steps.addAll(all.subList(1 + all.indexOf(run(BEFORE_SINK_COMMIT, 1)), all.size()));
        return steps;
    }

    /** Each sink dies around the write of its position, before and after in turn; the next restart has one less to load. */
    private List<Step> stateWrites() {
        List<Step> steps = new ArrayList<>();
        boolean adopts = false;
        for (int sink = 1; sink <= sinks; sink++) {
            boolean before = (sink + turn) % 2 == 0;
            steps.add(run(before ? BEFORE_STATE_WRITE : AFTER_STATE_WRITE, adopts ? 2 : 1));
            adopts = before;
        }
        return steps;
    }

    /** In an order of its own: of those that stand in the middle of a read, DuckDB keeps a core busy with waiting. */
    private List<Step> aboveTheSinks() {
        List<Point> points = new ArrayList<>(List.of(MID_READ, COMPARED, STAGED));
        Collections.rotate(points, turn);
        Point first = points.get(0);
        return new ArrayList<>(List.of(
                run(first, 1 + (first == MID_READ ? slice.reads : slice.passes)),
                run(LOCKED, 1),
                run(points.get(1), 1),
                run(points.get(2), 1)));
    }

    private static List<Step> commit() {
        return List.of(
                run(BEFORE_SINK_COMMIT, 1),
                run(AFTER_SINK_COMMIT, 1),
                run(BEFORE_STATE_WRITE, 1),
                run(AFTER_STATE_WRITE, 1));
    }

    /** Each sink dies around the write of its position, before and after in turn. */
    List<Step> stateWrites(Point first) {
        List<Step> steps = new ArrayList<>(List.of(run(first, atSink(1))));
        for (int sink = 2; sink <= sinks; sink++) {
            boolean adopts = steps.get(steps.size() - 1).point() == BEFORE_STATE_WRITE;
            steps.add(adopts ? run(AFTER_STATE_WRITE, 2) : run(BEFORE_STATE_WRITE, 1));
        }
        return steps;
    }

    /** Every restart reads rows again for every sink, so that each sink commits in it. */
    List<Step> lookingBack() {
        List<Step> steps = new ArrayList<>(List.of(run(MID_READ, slice.reads + 1), run(LOCKED, 1)));
        for (int sink = 1; sink <= sinks; sink++) {
            steps.addAll(List.of(
                    run(BEFORE_STATE_WRITE, sink),
                    run(BEFORE_SINK_COMMIT, sink),
                    run(AFTER_STATE_WRITE, sink),
                    run(AFTER_SINK_COMMIT, sink),
                    run(STAGED, 1)));
        }
        steps.add(run(BEFORE_FINAL_STATUS, 1));
        return steps;
    }

    /** The refresh is asked for again whenever it died. */
    List<Step> refreshedAgainAndAgain() {
        List<Step> steps = new ArrayList<>(
                List.of(refresh(MID_READ, 1), refresh(LOCKED, 1), refresh(COMPARED, 1), refresh(STAGED, 1)));
        Collections.rotate(steps, turn);
        for (int sink = 1; sink <= sinks; sink++) {
            for (Point point : List.of(BEFORE_SINK_COMMIT, AFTER_SINK_COMMIT, BEFORE_STATE_WRITE, AFTER_STATE_WRITE)) {
                steps.add(refresh(point, atSink(sink)));
            }
        }
        steps.add(refresh(BEFORE_FINAL_STATUS, 1));
        return steps;
    }

    /** The refresh is asked for until one sink has committed it; runs that know nothing of it carry it to the others. */
    List<Step> refreshTakenUp() {
        List<Step> steps = new ArrayList<>(List.of(
                refresh(BEFORE_SINK_COMMIT, 1),
                refresh(AFTER_SINK_COMMIT, 1),
                run(BEFORE_STATE_WRITE, 1),
                run(AFTER_STATE_WRITE, 1),
                run(MID_READ, 1)));
        for (int sink = 2; sink <= sinks; sink++) {
            steps.addAll(commit());
        }
        steps.add(run(BEFORE_FINAL_STATUS, 1));
        return steps;
    }

    /** The same, with deaths around the writes of positions. */
    List<Step> refreshRemembered() {
        List<Step> steps = stateWrites();
        steps.set(0, refresh(steps.get(0).point(), 1));
        return steps;
    }

    /** Whole tables: nothing is remembered, and every restart does all of it. */
    List<Step> replaced() {
        List<Step> steps = new ArrayList<>(List.of(run(MID_READ, 1)));
        for (Point point : List.of(AFTER_SINK_COMMIT, BEFORE_SINK_COMMIT)) {
            for (int sink = 1; sink <= sinks; sink++) {
                steps.add(run(point, sink));
            }
        }
        steps.add(run(BEFORE_FINAL_STATUS, 1));
        return steps;
    }
}
