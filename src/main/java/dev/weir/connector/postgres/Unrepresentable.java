package dev.weir.connector.postgres;

/** A value that the type asked for cannot hold; who knows the row turns it into a failure that names it. */
final class Unrepresentable extends RuntimeException {

    private final String value;

    /** @param reason what follows the value in a sentence: {@code does not fit an INTEGER} */
    Unrepresentable(String value, String reason) {
        super(reason, null, false, false);
        this.value = value;
    }

    String value() {
        return value;
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
