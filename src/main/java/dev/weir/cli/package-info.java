/** The command line: one class a command, which parses, calls and prints. Nobody imports it. */
@NullMarked
package dev.weir.cli;

import org.jspecify.annotations.NullMarked;
