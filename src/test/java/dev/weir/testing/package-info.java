/** Real systems for tests, started once and shared. */
@NullMarked
package dev.weir.testing;

import org.jspecify.annotations.NullMarked;
