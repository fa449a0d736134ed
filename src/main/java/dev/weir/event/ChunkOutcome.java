package dev.weir.event;

import dev.weir.fault.Fault;

/** How an invocation left a chunk. Source of the words: contract, section 6. */
public sealed interface ChunkOutcome {

    /** As events spell it: {@code completed}. */
    String status();

    /** @param rows how many were delivered */
    record Completed(long rows) implements ChunkOutcome {
        @Override
        public String status() {
            return "completed";
        }
    }

    /** @param fault why; an interrupted chunk has failed too */
    record Failed(Fault fault) implements ChunkOutcome {
        @Override
        public String status() {
            return "failed";
        }
    }

    /** It was completed before. */
    record Skipped() implements ChunkOutcome {
        @Override
        public String status() {
            return "skipped";
        }
    }

    /** Another process holds it. */
    record HeldElsewhere() implements ChunkOutcome {
        @Override
        public String status() {
            return "claimed_elsewhere";
        }
    }

    /**
     * It cannot be read yet.
     *
     * @param why as it is printed: {@code it ends above 2026-01-05T10:00:00+00:00, up to which nothing can still appear}
     */
    record Pending(String why) implements ChunkOutcome {
        @Override
        public String status() {
            return "pending";
        }
    }
}
