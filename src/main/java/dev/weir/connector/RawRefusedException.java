package dev.weir.connector;

/**
 * Rows cannot go into a table as they came, or only their values can tell how: the transaction is to be rolled back, and the
 * same rows are to be decoded and written again, which also tells what is wrong with them, if anything is.
 */
public final class RawRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param reason for whoever debugs weir */
    public RawRefusedException(String reason) {
        super(reason);
    }

    public RawRefusedException(Throwable cause) {
        super(cause);
    }
}
