package dev.weir.connector.sqlite;

import dev.weir.connector.Column;
import dev.weir.connector.DuckSession;
import dev.weir.connector.SinkTransaction.Written;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.Staged;
import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.jdbc.StagedRows;
import dev.weir.connector.jdbc.Unrepresentable;
import dev.weir.fault.RunException;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.duckdb.DuckDBReadableVector;

/** Writes staged rows into one table, inside the caller's transaction. */
final class TableWrite {

    /** REALs are compared with them exactly. */
    private static final CursorType INTEGERS = CursorType.of(CursorType.Kind.BIGINT);

    private final DuckSession duck;
    private final Session session;
    private final String place;
    private final Target target;
    private final Staged rows;
    private final Optional<String> rowidColumn;

    TableWrite(DuckSession duck, Session session, String place, Target target, Staged rows) {
        this.duck = duck;
        this.session = session;
        this.place = place;
        this.target = target;
        this.rows = rows;
        this.rowidColumn = target.table().rowidColumn();
    }

    Written write(SinkWrite how) {
        if (how instanceof SinkWrite.Merge merge) {
            return rows.rows() == 0 ? new Written(0, 0) : merge(merge);
        }
        if (how instanceof SinkWrite.Replace) {
            session.act(place, connection -> delete(connection, ""));
        } else if (how instanceof SinkWrite.Window window) {
            delete(window);
        }
        return new Written(all(fill(insertInto(target.sql()), List.of())), 0);
    }

    private void delete(SinkWrite.Window window) {
        CursorRange range = inTable(window);
        CursorType type = range.from().type();
        CursorType stored = type.isEpoch() ? numbers(window).orElse(INTEGERS) : type;
        CursorSql cursor = new CursorSql(window.cursor(), new CursorUnits(type, stored));
        session.act(place, connection -> {
            CursorFunction.register(connection, cursor.units());
            delete(connection, cursor.within(range));
        });
    }

    private void delete(Connection connection, String condition) throws SQLException {
        String which = target.sql() + (condition.isEmpty() ? "" : " WHERE " + condition);
        Session.execute(connection, "DELETE FROM " + which);
        if (target.dropsRows() && Session.number(connection, "SELECT EXISTS (SELECT 1 FROM " + which + ")") > 0) {
            throw stillThere();
        }
    }

    private RunException stillThere() {
        return session.failures()
                .of(
                        place,
                        "rows that were deleted are still in the table",
                        "a trigger that keeps rows? weir cannot vouch for what it is not told");
    }

    /** A wider number in the table is compared as what it is there. */
    private CursorRange inTable(SinkWrite.Window window) {
        CursorRange range = window.range();
        return numbers(window)
                .filter(stored -> !range.from().type().isEpoch())
                .map(stored -> new CursorRange(in(stored, range.from()), range.fromInclusive(), in(stored, range.to())))
                .orElse(range);
    }

    /** The type of the numbers that the cursor's column in the table has; empty: it has others, or REALs. */
    private Optional<CursorType> numbers(SinkWrite.Window window) {
        return target.type(window.cursor())
                .natural()
                .flatMap(natural -> CursorType.named(natural.sql()))
                .filter(CursorType::isOfNumbers);
    }

    private static CursorValue in(CursorType type, CursorValue value) {
        BigDecimal number = value.toBigDecimal();
        return type.units(number.setScale(type.scale()).unscaledValue());
    }

    private Written merge(SinkWrite.Merge merge) {
        MergeSql sql =
                new MergeSql(target, rows.columns().stream().map(Column::name).toList(), merge);
        Written written = sql.isUpsert() ? upsert(sql, merge) : stage(sql, merge);
        all(merge.orderBy().isEmpty() ? written.rows() : written.rows() + written.keptNewer());
        return written;
    }

    /** Deletes the stored rows of the staged keys, those apart that are newer. */
    Written delete(SinkWrite.Merge merge) {
        if (rows.rows() == 0) {
            return Written.NOTHING;
        }
        MergeSql sql =
                new MergeSql(target, rows.columns().stream().map(Column::name).toList(), merge);
        fillStaging(sql, merge);
        Written written = session.run(place, sql::deleteStaged);
        if (target.dropsRows() && session.run(place, sql::countStaged) > 0) {
            throw stillThere();
        }
        return written;
    }

    private Written upsert(MergeSql sql, SinkWrite.Merge merge) {
        long delivered = fill(session.run(place, sql::upsert), merge.keys());
        return new Written(delivered, rows.rows() - delivered);
    }

    private Written stage(MergeSql sql, SinkWrite.Merge merge) {
        fillStaging(sql, merge);
        return session.run(place, sql::mergeStaging);
    }

    private void fillStaging(MergeSql sql, SinkWrite.Merge merge) {
        session.act(place, sql::makeStaging);
        all(fill(insertInto(MergeSql.STAGING), merge.keys()));
    }

    private long all(long taken) {
        if (taken != rows.rows()) {
            throw session.failures()
                    .of(
                            place,
                            taken + " of " + rows.rows() + " rows were taken by the table",
                            "a trigger that drops rows? weir cannot vouch for what it is not told");
        }
        return taken;
    }

    /** A conflict clause of the table's own would drop or replace rows without a word. */
    private String insertInto(String table) {
        return "INSERT OR ABORT INTO " + table + " ("
                + Sql.quote(rows.columns().stream().map(Column::name).toList()) + ") VALUES ("
                + rows.columns().stream().map(column -> "?").collect(Collectors.joining(", ")) + ")";
    }

    /**
     * Puts every row through a statement.
     *
     * @param named the columns whose values name a row in a failure
     * @return how many rows were inserted or changed
     */
    private long fill(String sql, List<String> named) {
        if (rows.rows() == 0) {
            return 0;
        }
        List<Encoding> encodings = rows.columns().stream()
                .map(column -> Encoding.of(DuckType.named(column.type()), target.type(column.name())))
                .toList();
        StagedRows staged = new StagedRows(
                duck, place, rows, encodings.stream().map(Encoding::wire).toList());
        long[] changed = {0};
        session.act(place, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                staged.forEach((vectors, row) -> session.act(place, same -> {
                    bind(staged, encodings, vectors, row, statement, named);
                    changed[0] += statement.executeLargeUpdate();
                }));
            }
        });
        return changed[0];
    }

    private void bind(
            StagedRows staged,
            List<Encoding> encodings,
            DuckDBReadableVector[] vectors,
            int row,
            PreparedStatement statement,
            List<String> named)
            throws SQLException {
        for (int i = 0; i < vectors.length; i++) {
            try {
                if (vectors[i].isNull(row)) {
                    checkNull(rows.columns().get(i));
                    statement.setObject(i + 1, null);
                    continue;
                }
                encodings.get(i).binder().bind(statement, i + 1, vectors[i], row);
            } catch (Unrepresentable e) {
                throw staged.unrepresentable(vectors, row, i, named, e);
            }
        }
    }

    private void checkNull(Column column) {
        if (rowidColumn.isPresent() && rowidColumn.get().equals(column.name())) {
            throw new Unrepresentable("NULL", "SQLite would replace by a number of its own");
        }
    }
}
