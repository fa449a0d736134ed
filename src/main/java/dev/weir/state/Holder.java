package dev.weir.state;

import java.time.Instant;

/**
 * Who holds a lock, as far as is known: for messages only, the lock itself decides.
 *
 * @param lock what is locked: {@code connection.entity}
 * @param since when it was taken
 */
public record Holder(String lock, ProcessIdentity process, String runId, Instant since) {}
