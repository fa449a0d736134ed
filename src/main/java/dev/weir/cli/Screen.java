package dev.weir.cli;

import dev.weir.event.ScreenSize;
import java.util.Optional;

/** The terminal the output of a command is shown on. */
@FunctionalInterface
interface Screen {

    /** No terminal. */
    Screen NONE = Optional::empty;

    /** Its size at this moment; empty when the output is shown on no terminal. */
    Optional<ScreenSize> size();
}
