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
}
