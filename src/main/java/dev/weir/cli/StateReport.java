package dev.weir.cli;

import dev.weir.fault.Code;
import dev.weir.plan.PipelineNode;
import dev.weir.plan.Plan;
import dev.weir.plan.SinkNode;
import dev.weir.plan.SourceNode;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Position;
import dev.weir.slicing.PositionKey;
import dev.weir.state.Audited;
import dev.weir.state.Edit;
import dev.weir.state.Moved;
import dev.weir.state.StateStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The lines of {@code weir state show}. Source of the form: contract, section 5. */
final class StateReport {

    private static final int HISTORY = 20;

    private final Plan plan;
    private final Optional<StateStore> state;

    /** @param state empty: there is none yet */
    StateReport(Plan plan, Optional<StateStore> state) {
        this.plan = plan;
        this.state = state;
    }

    /**
     * @param asked the key as it is printed
     * @param withHistory whether its moves and edits follow
     */
    List<String> of(SourceNode source, String asked, boolean withHistory) {
        Map<String, @Nullable Position> positions = positions(source);
        List<String> lines = new ArrayList<>();
        if (cursors(positions).size() > 1) {
            lines.add(asked + " — " + Code.CURSOR_CHANGED + " its sinks stand by different cursors, which are never"
                    + " compared: load those of the former cursor with --full-refresh");
            positions.forEach((sink, position) -> lines.add(
                    "  " + shown(position) + (position == null ? "" : "  cursor " + position.cursor()) + "  " + sink));
            return lines;
        }
        lines.add(asked + " — cursor " + cursor(source, positions));
        Position lowest = lowest(positions);
        lines.add("  current  " + shown(lowest));
        positions.forEach((sink, position) -> {
            boolean same = lowest != null && position != null && same(lowest.value(), position.value());
            if (position != null && position.value() != null && !same) {
                lines.add("  ahead    " + shown(position) + "  " + sink);
            }
        });
        if (withHistory) {
            state.ifPresent(store -> addHistory(store, source, lines));
        }
        return lines;
    }

    private Map<String, @Nullable Position> positions(SourceNode source) {
        Map<PositionKey, Position> known = state.map(store -> store.positions(plan.project(), source.key()))
                .orElse(Map.of());
        Map<String, @Nullable Position> positions = new LinkedHashMap<>();
        for (PipelineNode pipeline : plan.below(source)) {
            for (SinkNode sink : pipeline.sinks()) {
                positions.put(
                        pipeline.name() + " → " + sink.id(),
                        known.get(new PositionKey(plan.project(), pipeline.name(), sink.id(), source.key())));
            }
        }
        return positions;
    }

    private static Set<Cursor> cursors(Map<String, @Nullable Position> positions) {
        Set<Cursor> cursors = new HashSet<>();
        positions.values().forEach(position -> {
            if (position != null) {
                cursors.add(position.cursor());
            }
        });
        return cursors;
    }

    private static String cursor(SourceNode source, Map<String, @Nullable Position> positions) {
        for (Position position : positions.values()) {
            if (position != null) {
                return position.cursor().toString();
            }
        }
        return source.sync().map(sync -> sync.cursor()).orElse("none: it is read in full");
    }

    /** The lowest position; null when a sink stands nowhere. */
    private static @Nullable Position lowest(Map<String, @Nullable Position> positions) {
        Position lowest = null;
        for (Position position : positions.values()) {
            if (position == null || position.value() == null) {
                return position;
            }
            if (lowest == null || position.value().isBelow(lowest.value())) {
                lowest = position;
            }
        }
        return lowest;
    }

    private static boolean same(@Nullable CursorValue a, @Nullable CursorValue b) {
        return a == null ? b == null : a.equals(b);
    }

    private static String shown(@Nullable Position position) {
        if (position == null) {
            return "none";
        }
        String value = position.value() == null ? "none" : position.value().toString();
        return value + "  " + by(position.runId());
    }

    private static String by(String runId) {
        return runId.startsWith("edit-") ? "by hand" : "run " + runId;
    }

    private void addHistory(StateStore store, SourceNode source, List<String> lines) {
        List<Moved> moves = store.history(plan.project(), source.key(), HISTORY);
        if (!moves.isEmpty()) {
            lines.add("  history, newest first");
        }
        for (Moved move : moves) {
            lines.add("    " + move.position().at() + "  " + shown(move.position()) + "  "
                    + move.key().pipeline() + " → " + move.key().sink());
        }
        List<Audited> edits = store.edits(plan.project(), source.key());
        if (!edits.isEmpty()) {
            lines.add("  edits, newest first");
        }
        for (Audited audited : edits) {
            Edit edit = audited.edit();
            for (Edit.Change change : edit.changes()) {
                lines.add("    " + audited.at() + "  " + edit.kind() + " by " + edit.who() + ": "
                        + value(change.before()) + " → " + value(change.after()) + "  "
                        + change.key().sink() + "  (" + edit.reason() + ")");
            }
        }
    }

    private static String value(@Nullable Position position) {
        return position == null || position.value() == null
                ? "none"
                : position.value().toString();
    }
}
