/** Faults a person can act on: their codes, their places and what to do, and the redaction of secrets in all of it. */
@NullMarked
package dev.weir.fault;

import org.jspecify.annotations.NullMarked;
