package dev.weir.connector.jdbc;

import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.RunException;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.LiteralException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Reads cursors, values and numbers as weir keeps them in a sink; whatever weir did not write is an error with the way out.
 *
 * @param place what failures name
 * @param kept what holds the value, and where: {@code the mark in _weir_positions}
 * @param remedy what to do about a value nobody can read
 */
public record KeptValues(String place, String kept, String remedy) {

    /** @throws RunException {@code WR0503} when there is no such type */
    public Cursor cursor(String column, String typeName) {
        return CursorType.printed(typeName)
                .map(type -> new Cursor(column, type))
                .orElseThrow(() -> new RunException(unreadable("cursor type " + typeName)));
    }

    /**
     * The value of that canonical text.
     *
     * @throws RunException {@code WR0503} when it is no value of the type
     */
    public CursorValue value(CursorType type, String text) {
        try {
            return type.read(text);
        } catch (LiteralException e) {
            throw RunException.lasting(unreadable(type + " value '" + text + "'"), e);
        }
    }

    /** As {@link #value}; null stays null. */
    public @Nullable CursorValue valueOrNull(CursorType type, @Nullable String text) {
        return text == null ? null : value(type, text);
    }

    /**
     * A whole number, which not every system makes sure of.
     *
     * @throws RunException {@code WR0503} when it is none, or beyond 64 bits
     */
    public long whole(ResultSet row, int column) throws SQLException {
        String text = String.valueOf(row.getString(column));
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw RunException.lasting(unreadable("number '" + text + "'"), e);
        }
    }

    /** @throws RunException {@code WR0503} when it is no instant */
    public Instant instant(Instants instants, ResultSet row, int column) throws SQLException {
        try {
            return instants.read(row, column);
        } catch (Unrepresentable e) {
            throw RunException.lasting(unreadable("time '" + e.value() + "'"), e);
        }
    }

    private Fault unreadable(String what) {
        return new Fault(
                Code.SINK,
                place,
                kept + " has the " + what + ", which this version of weir cannot read",
                "was it edited by hand, or written by a newer weir? " + remedy);
    }
}
