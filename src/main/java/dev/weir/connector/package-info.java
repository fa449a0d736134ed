/**
 * What every system offers weir: sources with snapshots, slice reads, sinks with transactions, the ledger in the sink.
 *
 * <p>Interfaces and values only. A connector never sees the run, the plan or the state.
 */
@NullMarked
package dev.weir.connector;

import org.jspecify.annotations.NullMarked;
