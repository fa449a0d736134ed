package dev.weir.project;

import java.util.List;

/**
 * One pipeline.
 *
 * @param name the file's name without {@code .sql}
 * @param file the file relative to the project's folder
 * @param pieces the whole text, in order
 * @param sound whether it was read without a problem; if not, every call that is here is right
 */
public record PipelineSpec(String name, String file, List<Piece> pieces, boolean sound) {

    public PipelineSpec {
        pieces = List.copyOf(pieces);
    }

    /** The calls of one kind, in the order of the text. */
    public <C extends Call> List<C> calls(Class<C> kind) {
        return pieces.stream()
                .filter(Piece.Called.class::isInstance)
                .map(piece -> ((Piece.Called) piece).call())
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }
}
