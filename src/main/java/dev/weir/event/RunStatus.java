package dev.weir.event;

import java.util.Locale;

/** How a pass, or a whole run, came out. */
public enum RunStatus {
    SUCCESS,
    COMPLETED_WITH_FAILURES,
    CANCELLED,
    FATAL;

    /** As events spell it: {@code completed_with_failures}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
