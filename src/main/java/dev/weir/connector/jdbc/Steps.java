package dev.weir.connector.jdbc;

import java.util.function.Supplier;

/**
 * The steps of one transaction: the first that fails breaks it, so that what was done by half is never committed.
 *
 * <p>The system itself may not keep that: SQLite undoes a statement that fails and would commit the rest, and Postgres is
 * not asked about failures on our side. Used by one thread.
 */
public final class Steps {

    private boolean broken;
    private boolean ended;

    /**
     * Does one step.
     *
     * @throws IllegalStateException when a step before has failed or the transaction has ended: a programming error
     */
    public <T> T step(Supplier<T> work) {
        if (!areSound()) {
            throw new IllegalStateException(ended ? "the transaction has ended" : "the transaction has failed");
        }
        broken = true;
        T result = work.get();
        broken = false;
        return result;
    }

    /** Whether every step went through and the transaction has not ended, so that it may be committed. */
    public boolean areSound() {
        return !broken && !ended;
    }

    /** Ends the transaction; whether it had not ended before. */
    public boolean end() {
        boolean first = !ended;
        ended = true;
        return first;
    }
}
