package dev.weir.connector.postgres;

/** Bytes that are no value of their type: the stream is broken, not the row. */
final class Malformed extends RuntimeException {

    Malformed(String what) {
        super(what, null, false, false);
    }
}
