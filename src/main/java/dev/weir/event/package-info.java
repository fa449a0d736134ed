/**
 * What happens in a run, as immutable events, and their renderers: NDJSON, text, and the files of the run's folder.
 *
 * <p>Source of the events and their fields: contract, sections 4.2 and 4.3.
 */
@NullMarked
package dev.weir.event;

import org.jspecify.annotations.NullMarked;
