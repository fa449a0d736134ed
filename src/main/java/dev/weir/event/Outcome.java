package dev.weir.event;

import dev.weir.fault.Fault;

/** How a node came out. */
public sealed interface Outcome {

    /** As events spell it: {@code success}, {@code failed}, {@code skipped}. */
    default String status() {
        return EventFields.status(this);
    }

    record Success() implements Outcome {}

    record Failed(Fault fault) implements Outcome {}

    /**
     * It did not run.
     *
     * @param why as it is printed in parentheses: {@code src_pg_prod__public_orders above failed}
     */
    record Skipped(String why) implements Outcome {

        /** @param name the node above that failed, as it is printed */
        public static Skipped below(String name) {
            return new Skipped(name + " above failed");
        }
    }
}
