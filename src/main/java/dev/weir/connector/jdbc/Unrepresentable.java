package dev.weir.connector.jdbc;

/** A value that the type asked for cannot hold; who knows the row turns it into a failure that names it. */
public final class Unrepresentable extends RuntimeException {

    private final String value;

    /** @param reason what follows the value in a sentence: {@code does not fit an INTEGER} */
    public Unrepresentable(String value, String reason) {
        super(reason, null, false, false);
        this.value = value;
    }

    public String value() {
        return value;
    }

    public String reason() {
        return String.valueOf(getMessage());
    }
}
