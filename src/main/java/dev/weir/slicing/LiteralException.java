package dev.weir.slicing;

/**
 * A text that is no value, step or duration of the type it is meant for.
 *
 * <p>Its message quotes the text and says what a right one looks like; whoever knows the place (file:line:column, a
 * flag) adds it.
 */
public final class LiteralException extends RuntimeException {

    public LiteralException(String message) {
        super(message);
    }
}
