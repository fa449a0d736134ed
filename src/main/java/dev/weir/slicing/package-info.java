/**
 * Decides what to read next and where to advance: cursor types and values, windows, ceilings, positions, marks.
 *
 * <p>Pure: no I/O, no clock, no SQL. Everything that can lose or double a row is decided here, and nowhere else.
 */
@NullMarked
package dev.weir.slicing;

import org.jspecify.annotations.NullMarked;
