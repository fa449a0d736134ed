package dev.weir.event;

import dev.weir.fault.Fault;

/** How a node came out. */
public sealed interface Outcome {

    /** As events spell it: {@code success}, {@code failed}, {@code skipped}. */
    String status();

    /** @param deleted how many stored rows a sink lost to {@code delete_when}; 0 for every other node */
    record Success(long deleted) implements Outcome {

        public Success() {
            this(0);
        }

        @Override
        public String status() {
            return "success";
        }
    }

    record Failed(Fault fault) implements Outcome {
        @Override
        public String status() {
            return "failed";
        }
    }

    /**
     * It did not run.
     *
     * @param why as it is printed in parentheses: {@code src_pg_prod__public_orders above failed}
     */
    record Skipped(String why) implements Outcome {
        @Override
        public String status() {
            return "skipped";
        }

        /** @param name the node above that failed, as it is printed */
        public static Skipped below(String name) {
            return new Skipped(name + " above failed");
        }
    }
}
