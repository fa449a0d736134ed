package dev.weir.connector.duckdb;

import dev.weir.connector.TableName;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a sink has seen of its file's catalog.
 *
 * <p>While a process holds a file, nobody else can change it, so what was there still is; asking DuckDB's catalog again
 * for every slice costs more than a small slice's rows. What was not there may come, and is asked for again. What a
 * transaction has made is not remembered before it has committed. Used by one thread.
 */
final class Known {

    private final Map<TableName, Shape> shapes;
    private final Set<String> ledgers;
    private final boolean remembers;

    private Known(Map<TableName, Shape> shapes, Set<String> ledgers, boolean remembers) {
        this.shapes = shapes;
        this.ledgers = ledgers;
        this.remembers = remembers;
    }

    static Known nothing() {
        return new Known(new HashMap<>(), new HashSet<>(), true);
    }

    /** The same knowledge, to which nothing is added: for a transaction. */
    Known asItIs() {
        return new Known(shapes, ledgers, false);
    }

    /** A look into the catalog. */
    interface Look<T> {
        T look() throws SQLException;
    }

    Optional<Shape> shape(TableName table, Look<Optional<Shape>> look) throws SQLException {
        Shape known = shapes.get(table);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<Shape> seen = look.look();
        if (remembers) {
            seen.ifPresent(shape -> shapes.put(table, shape));
        }
        return seen;
    }

    /** @param relation the ledger's qualified name */
    boolean ledger(String relation, Look<Boolean> look) throws SQLException {
        if (ledgers.contains(relation)) {
            return true;
        }
        boolean seen = look.look();
        if (seen && remembers) {
            ledgers.add(relation);
        }
        return seen;
    }

    void forget() {
        shapes.clear();
        ledgers.clear();
    }
}
