/** Measures weir and what it is compared with, on one table, each beside the source's own COPY. Started by {@code bench/run}. */
@NullMarked
package dev.weir.bench;

import org.jspecify.annotations.NullMarked;
