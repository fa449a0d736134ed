package dev.weir.engine;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/** Which joins are right slice by slice. */
final class JoinSides {

    private JoinSides() {}

    /**
     * Why a join needs more than one slice; empty: it does not.
     *
     * @param left the incremental relations of its left side, as they are printed; empty: it has none
     * @param right those of its right side
     */
    static Optional<String> reason(JsonNode join, String left, String right) {
        if (left.isEmpty() && right.isEmpty()) {
            return Optional.empty();
        }
        String type = join.path("join_type").asText();
        String reference = join.path("ref_type").asText();
        if (!left.isEmpty() && !right.isEmpty()) {
            return Optional.of("a join of " + left + " with " + right + " meets only rows of the same slice");
        }
        String slice = left + right;
        return switch (reference) {
            case "CROSS", "REGULAR", "NATURAL" -> preserved(type, !left.isEmpty(), slice);
            case "ASOF" ->
                right.isEmpty()
                        ? preserved(type, true, slice)
                        : Optional.of("an ASOF join looks for the nearest row in one slice of " + slice);
            default -> Optional.of("a " + reference + " join pairs rows of a slice of " + slice + " by their places");
        };
    }

    /** The rows a join keeps without a match must be those of the slice. */
    private static Optional<String> preserved(String type, boolean sliceIsLeft, String slice) {
        boolean right =
                switch (type) {
                    case "INNER" -> true;
                    case "LEFT", "SEMI", "ANTI" -> sliceIsLeft;
                    case "RIGHT" -> !sliceIsLeft;
                    default -> false;
                };
        return right
                ? Optional.empty()
                : Optional.of("a " + type + " join compares all rows of its other side with one slice of " + slice);
    }
}
