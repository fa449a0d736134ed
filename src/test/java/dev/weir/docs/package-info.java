/** The documents are true: what they show is executed. */
@NullMarked
package dev.weir.docs;

import org.jspecify.annotations.NullMarked;
