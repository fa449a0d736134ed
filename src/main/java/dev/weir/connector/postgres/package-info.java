/**
 * Postgres as a source, read by binary COPY in one snapshot, and as a sink, where rows and marks commit together.
 *
 * <p>Only what is Postgres' own lives here. Nothing depends on a session's time zone, encoding or formats: values travel in
 * binary, and what is text is asked for with settings local to the transaction.
 */
@NullMarked
package dev.weir.connector.postgres;

import org.jspecify.annotations.NullMarked;
