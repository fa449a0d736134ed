package dev.weir.connector.postgres;

import dev.weir.connector.jdbc.Unrepresentable;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyOut;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/** Asks for single cursor values, in the transaction of its session or outside any. */
final class CursorProbe {

    private static final int HEADER_AND_FIELD_COUNT = 21;

    private final Session session;
    private final String place;
    private final ReadPlan plan;
    private boolean fits;

    CursorProbe(Session session, String place, ReadPlan plan) {
        this.session = session;
        this.place = place;
        this.plan = plan;
    }

    /** The lowest finite cursor in a range, floored to the whole microsecond. */
    Optional<CursorValue> lowest(CursorRange range) {
        return end("min", range);
    }

    /** The highest finite cursor in a range, floored to the whole microsecond. */
    Optional<CursorValue> highest(CursorRange range) {
        return end("max", range);
    }

    private Optional<CursorValue> end(String aggregate, CursorRange range) {
        ReadPlan.CursorColumn column = plan.needCursor();
        String sql =
                "SELECT " + aggregate + "(" + column.quoted() + ") FROM " + plan.from() + " WHERE " + plan.where(range);
        return session.run(place, connection -> single(connection, sql)).map(bytes -> value(column, bytes));
    }

    /** A column wider than the declared cursor may hold rows that lie in no window: they must not be passed over. */
    void checkFit() {
        ReadPlan.CursorColumn column = plan.needCursor();
        if (fits || !column.isWiderThanCursor()) {
            return;
        }
        String sql = "SELECT (SELECT " + column.quoted() + "::text FROM " + plan.from() + " WHERE "
                + CursorSql.beyond(
                        column.quoted(), column.type().family(), column.cursor().type()) + " LIMIT 1)";
        Optional<byte[]> found = session.run(place, connection -> single(connection, sql));
        found.ifPresent(text -> {
            throw doesNotFit(new String(text, StandardCharsets.UTF_8));
        });
        fits = true;
    }

    /** The one value of a query in its binary form; empty: NULL. */
    static Optional<byte[]> single(PgConnection connection, String sql) throws SQLException {
        CopyOut copy = connection.getCopyAPI().copyOut("COPY (" + sql + ") TO STDOUT (FORMAT binary)");
        byte[] all = new byte[0];
        for (byte @Nullable [] part = copy.readFromCopy(); part != null; part = copy.readFromCopy()) {
            byte[] joined = Arrays.copyOf(all, all.length + part.length);
            System.arraycopy(part, 0, joined, all.length, part.length);
            all = joined;
        }
        int start = HEADER_AND_FIELD_COUNT + 4;
        int length = all.length < start ? Integer.MAX_VALUE : Binary.getInt(all, HEADER_AND_FIELD_COUNT);
        if (copy.getHandledRowCount() != 1 || length > all.length - start) {
            throw new PSQLException("a value did not come whole", PSQLState.PROTOCOL_VIOLATION);
        }
        return length < 0 ? Optional.empty() : Optional.of(Arrays.copyOfRange(all, start, start + length));
    }

    private CursorValue value(ReadPlan.CursorColumn column, byte[] bytes) {
        CursorType type = column.cursor().type();
        PgType.Family family = column.type().family();
        if (!family.form().fits(bytes, 0, bytes.length)) {
            throw session.failures()
                    .of(
                            place,
                            "a value of the cursor " + column.cursor().column() + " is broken",
                            "run again; nothing of it was kept");
        }
        return switch (family) {
            case INT2 -> type.number(BigDecimal.valueOf(Binary.getShort(bytes, 0)));
            case INT4 -> type.number(BigDecimal.valueOf(Binary.getInt(bytes, 0)));
            case INT8 -> type.number(BigDecimal.valueOf(Binary.getLong(bytes, 0)));
            case NUMERIC -> numeric(type, bytes);
            case DATE -> type.units(Binary.days(bytes, 0));
            case TIMESTAMP, TIMESTAMPTZ -> type.units(Binary.micros(bytes, 0));
            default -> throw new IllegalStateException("no cursor: " + column.type());
        };
    }

    private CursorValue numeric(CursorType type, byte[] bytes) {
        if (type.isEpoch()) {
            return type.number(Numerics.decimal(bytes, 0));
        }
        try {
            int precision = type.precision() == 0 ? Integer.MAX_VALUE : type.precision();
            return type.units(Numerics.exact(bytes, 0, precision, type.scale()).unscaledValue());
        } catch (Unrepresentable e) {
            throw doesNotFit(e.value());
        }
    }

    /** A cursor that no window would hold, because its type cannot. */
    private RunException doesNotFit(String value) {
        ReadPlan.CursorColumn column = plan.needCursor();
        return new RunException(
                Code.UNREPRESENTABLE,
                place,
                "the cursor " + column.cursor() + " holds " + value
                        + ", which its type cannot hold, so no window would",
                "declare " + column.cursor().column() + " with a type wide enough for every row");
    }
}
