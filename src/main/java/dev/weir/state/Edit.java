package dev.weir.state;

import dev.weir.slicing.Position;
import dev.weir.slicing.PositionKey;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What an operator decided about the positions below one source.
 *
 * <p>Source of the rules: contract, section 5.
 *
 * @param kind what was done
 * @param project the project's name
 * @param source {@code connection.entity}, the entity as its system spells it
 * @param reason why, in the operator's words; never blank
 * @param who the operator's account, as far as the system tells; never blank
 * @param changes every position that was changed, at least one
 */
public record Edit(Kind kind, String project, String source, String reason, String who, List<Change> changes) {

    /** The commands that change positions by hand. */
    public enum Kind {
        SET,
        CLEAR,
        ROLLBACK,
        ADOPT;

        /** The word of the command line: {@code set}. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * One position, before and after.
     *
     * @param before what the position was by mark and state; null: there was none
     */
    public record Change(PositionKey key, @Nullable Position before, Position after) {}

    public Edit {
        changes = List.copyOf(changes);
        if (changes.isEmpty() || reason.isBlank() || who.isBlank()) {
            throw new IllegalArgumentException("an edit says what changed, who did it and why");
        }
        for (Change change : changes) {
            if (!change.key().project().equals(project)
                    || !change.key().source().equals(source)) {
                throw new IllegalArgumentException(change.key() + " is not below " + project + ", " + source);
            }
        }
    }
}
