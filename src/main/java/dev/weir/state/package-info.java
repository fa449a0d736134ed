/**
 * What weir remembers between runs: positions, operator edits, run history, and the locks of running processes.
 *
 * <p>The sinks' marks are the truth about what was loaded; {@code state.db} is their cache, the history, and what
 * operators decided. It is only ever opened through SQLite. Source of the rules: contract, sections 2.4 and 5.
 */
@NullMarked
package dev.weir.state;

import org.jspecify.annotations.NullMarked;
