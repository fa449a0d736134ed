package dev.weir.run;

import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Position;
import dev.weir.slicing.PositionKey;
import dev.weir.slicing.Reconciliation.Refresh;
import dev.weir.slicing.Step;
import dev.weir.slicing.Target;
import dev.weir.state.LoadedStretch;
import dev.weir.state.StateStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What state remembers of the sinks below a source. */
interface Remembered {

    /** @param source the source's key */
    Map<PositionKey, Position> positions(String source);

    /** The newest noted full refresh of a source. */
    Optional<Refresh> refresh(String source);

    /** What an invocation last found settled of that cursor of a source. */
    Optional<CursorValue> lastSettled(String source, Cursor cursor);

    /** How wide an invocation last chose the windows of that cursor of a source, for that target. */
    Optional<Step> width(String source, Cursor cursor, Target target);

    /** What forward runs loaded of a source. */
    List<LoadedStretch> stretches(String source);

    static Remembered of(StateStore state, String project) {
        return new Remembered() {
            @Override
            public Map<PositionKey, Position> positions(String source) {
                return state.positions(project, source);
            }

            @Override
            public Optional<Refresh> refresh(String source) {
                return state.refresh(project, source);
            }

            @Override
            public Optional<CursorValue> lastSettled(String source, Cursor cursor) {
                return state.lastSettled(project, source, cursor);
            }

            @Override
            public Optional<Step> width(String source, Cursor cursor, Target target) {
                return state.keptWidth(project, source, cursor, target);
            }

            @Override
            public List<LoadedStretch> stretches(String source) {
                return state.stretches(project, source);
            }
        };
    }

    /** Where there is no state yet. */
    static Remembered nothing() {
        return new Remembered() {
            @Override
            public Map<PositionKey, Position> positions(String source) {
                return Map.of();
            }

            @Override
            public Optional<Refresh> refresh(String source) {
                return Optional.empty();
            }

            @Override
            public Optional<CursorValue> lastSettled(String source, Cursor cursor) {
                return Optional.empty();
            }

            @Override
            public Optional<Step> width(String source, Cursor cursor, Target target) {
                return Optional.empty();
            }

            @Override
            public List<LoadedStretch> stretches(String source) {
                return List.of();
            }
        };
    }
}
