package dev.weir.fault;

/**
 * One thing that is wrong: what, where, and what to do about it.
 *
 * @param code the stable code
 * @param place {@code file:line:column}, {@code connection.entity}, a flag; never empty
 * @param what one sentence without a full stop at its end, quoting the offending value unless it is a secret
 * @param remedy what the reader does next; never empty
 */
public record Fault(Code code, String place, String what, String remedy) {

    public Fault {
        if (place.isBlank() || what.isBlank() || remedy.isBlank()) {
            throw new IllegalArgumentException("a fault says where, what and what to do: " + place + what + remedy);
        }
    }

    /** {@code WR0213 connections.yml:12:9: what}, and the remedy on a second line. */
    @Override
    public String toString() {
        return code + " " + place + ": " + what + "\n  " + remedy;
    }
}
