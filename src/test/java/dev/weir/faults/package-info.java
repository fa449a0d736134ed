/** Processes that die, are stopped or meet each other: nothing is lost and nothing doubled. */
@NullMarked
package dev.weir.faults;

import org.jspecify.annotations.NullMarked;
