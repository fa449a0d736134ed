package dev.weir.slicing;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a source told of transactions that may still commit rows, before any snapshot of it was opened.
 *
 * <p>Immutable and thread-safe. Source of the rule: contract, section 3.2.
 */
public sealed interface Sample {

    /** The source cannot tell. */
    record Untold(String why) implements Sample {

        /** In words: {@code it is not known which transactions are still open, since …}. */
        @Override
        public String toString() {
            return "it is not known which transactions are still open, since " + why;
        }
    }

    /** Nobody can commit a row whose cursor is not above all that is visible. */
    record InOrder() implements Sample {}

    /**
     * Of a source with a time cursor.
     *
     * @param at the source's clock just before it was asked
     * @param open the open transactions, oldest first; each since its start
     * @param prepared the prepared ones, whose starts are not known; each since it was prepared
     */
    record OfTimes(Instant at, List<Session> open, List<Session> prepared) implements Sample {

        public OfTimes {
            open = List.copyOf(open);
            prepared = List.copyOf(prepared);
        }

        Optional<Instant> oldestOpen() {
            return open.stream().map(Session::since).filter(Objects::nonNull).min(Instant::compareTo);
        }
    }

    /**
     * Of a source with a numeric cursor.
     *
     * @param highest its highest finite cursor, floored to a value of the cursor's type; empty: no row is visible
     * @param writers who may have taken a lower number and not committed, found after the highest
     * @param prepared prepared transactions
     */
    record OfNumbers(Optional<CursorValue> highest, List<Session> writers, List<Session> prepared) implements Sample {

        public OfNumbers {
            writers = List.copyOf(writers);
            prepared = List.copyOf(prepared);
        }
    }

    /**
     * A transaction and who has it.
     *
     * @param id what the source calls it; never given to another transaction
     * @param who for a person: {@code pid 4711 (payroll, psql, idle in transaction)}. No statement, which may hold secrets
     * @param since null: not known
     */
    record Session(String id, String who, @Nullable Instant since) {}
}
