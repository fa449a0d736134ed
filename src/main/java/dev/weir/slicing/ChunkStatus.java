package dev.weir.slicing;

import java.util.Locale;

/** How a chunk stands. */
public enum ChunkStatus {
    PENDING,
    CLAIMED,
    RUNNING,
    COMPLETED,
    FAILED;

    /** @throws IllegalArgumentException when the text is no status */
    public static ChunkStatus of(String text) {
        for (ChunkStatus status : values()) {
            if (status.toString().equals(text)) {
                return status;
            }
        }
        throw new IllegalArgumentException("'" + text + "' is no status of a chunk");
    }

    /** As it is stored and printed: {@code pending}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
