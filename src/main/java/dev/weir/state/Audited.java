package dev.weir.state;

import java.time.Instant;

/**
 * An edit as the audit keeps it.
 *
 * @param id counts up from 1, never used again
 * @param at when it was written, by the clock of the process that wrote it
 */
public record Audited(long id, Instant at, Edit edit) {}
