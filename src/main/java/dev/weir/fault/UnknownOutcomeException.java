package dev.weir.fault;

/**
 * A COMMIT was sent and its answer never came: the rows may be in the sink, all of them, or none.
 *
 * <p>Nothing may be retried until the mark was read again: our own run id in it means committed. Source of the rule:
 * contract, section 2.4.
 */
public final class UnknownOutcomeException extends RunException {

    public UnknownOutcomeException(String place, Throwable cause) {
        super(
                new Fault(
                        Code.SINK,
                        place,
                        "the connection broke while a COMMIT was under way, so its outcome is not known",
                        "the next run reads the mark in the sink and goes on from there; nothing is lost or doubled"),
                cause);
    }

    /**
     * The same of a file, whose disk failed.
     *
     * @param said what the system said of it
     */
    public UnknownOutcomeException(String place, String said, Throwable cause) {
        super(
                new Fault(
                        Code.SINK,
                        place,
                        "a COMMIT failed and its outcome is not known: " + said,
                        "look after the disk, which may be full, broken or gone, and run again: the mark in the sink"
                                + " tells what took effect; nothing is lost or doubled"),
                cause);
    }
}
