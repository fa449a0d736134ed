/**
 * Carries out what {@code slicing} decided: passes, the loop until caught up, retries, signals, edits of positions.
 *
 * <p>Knows no rule of its own about windows or positions.
 */
@NullMarked
package dev.weir.run;

import org.jspecify.annotations.NullMarked;
