package dev.weir.connector.postgres;

import dev.weir.connector.SliceRead.Wire;
import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.jdbc.DuckType.Kind;
import dev.weir.connector.postgres.PgType.Family;
import java.util.Optional;

/**
 * How a column of a Postgres type is read as a DuckDB type: exactly, or not at all.
 *
 * @param asked SQL over {@code %s}, the column, that is asked of the server
 * @param form what the bytes that come look like
 * @param wire what fills the vector
 * @param restored SQL over {@code %s} that gives the value, see {@link dev.weir.connector.SliceRead.WireColumn}
 * @param decoder puts a value into the vector
 */
record Reading(String asked, Form form, Wire wire, String restored, Decoder decoder) {

    static final String PLAIN = "%s";

    private static final String AS_TEXT = "%s::text";
    private static final String AS_NUMERIC = "%s::numeric";
    private static final int LONG_DIGITS = 18;

    /**
     * @param validated whether text must be checked, since the server does not
     * @return empty where no cast would be exact
     */
    static Optional<Reading> of(PgType source, DuckType wanted, boolean validated) {
        Family family = source.family();
        if (wanted.kind() == Kind.VARCHAR) {
            return Optional.of(text(family, validated));
        }
        if (family == Family.ARRAY) {
            return ArrayReading.of(source, wanted, validated);
        }
        boolean money = family == Family.MONEY;
        return cast(family, wanted, validated ? Decoders::validText : Decoders::text)
                .map(cast -> new Reading(
                        money ? AS_NUMERIC : PLAIN,
                        money ? Form.NUMERIC : family.form(),
                        cast.wire,
                        cast.restored,
                        cast.decoder));
    }

    /** What becomes of the bytes of a family. */
    private record Cast(Wire wire, String restored, Decoder decoder) {}

    private static Optional<Cast> cast(Family family, DuckType wanted, Decoder text) {
        Kind kind = wanted.kind();
        return switch (family) {
            case BOOL -> when(kind == Kind.BOOLEAN, Wire.BOOLEAN, PLAIN, Decoders::bool);
            case INT2, INT4, INT8, OID -> integer(family, wanted);
            case NUMERIC, MONEY -> numeric(wanted);
            case FLOAT4, FLOAT8 -> floating(family, kind);
            case BYTEA -> when(kind == Kind.BLOB, Wire.VARCHAR, "from_base64(%s)", Decoders::base64);
            case UUID -> when(kind == Kind.UUID, Wire.VARCHAR, as(wanted), Decoders::uuid);
            case JSON -> when(kind == Kind.JSON, Wire.VARCHAR, as(wanted), text);
            case JSONB -> when(kind == Kind.JSON, Wire.VARCHAR, as(wanted), Decoders.jsonb(text));
            case BIT, VARBIT -> when(kind == Kind.BIT, Wire.VARCHAR, as(wanted), Decoders::bits);
            case TIME -> when(kind == Kind.TIME, Wire.BIGINT, Restored.TIME, Decoders::time);
            case TIMETZ -> when(kind == Kind.TIMETZ, Wire.VARCHAR, as(wanted), Spans::timetz);
            case INTERVAL -> when(kind == Kind.INTERVAL, Wire.VARCHAR, Spans.RESTORED, Spans::interval);
            case DATE -> date(kind);
            case TIMESTAMP, TIMESTAMPTZ -> timestamp(kind);
            case TEXT, CHAR, NAME, ENUM, ARRAY, OTHER -> Optional.empty();
        };
    }

    private static Reading text(Family family, boolean validated) {
        // A "char" is any byte, and what the server knows by its text may hold one.
        boolean anyBytes = family == Family.NAME || family == Family.OTHER || family == Family.ARRAY;
        Decoder text = validated || anyBytes ? Decoders::validText : Decoders::text;
        return new Reading(family == Family.TEXT ? PLAIN : AS_TEXT, Form.BYTES, Wire.VARCHAR, PLAIN, text);
    }

    private static Optional<Cast> when(boolean exact, Wire wire, String restored, Decoder decoder) {
        return exact ? Optional.of(new Cast(wire, restored, decoder)) : Optional.empty();
    }

    private static Optional<Cast> integer(Family family, DuckType wanted) {
        Decoders.Longs longs =
                switch (family) {
                    case INT2 -> Binary::getShort;
                    case INT4 -> Binary::getInt;
                    case OID -> (data, at) -> Integer.toUnsignedLong(Binary.getInt(data, at));
                    default -> Binary::getLong;
                };
        Kind kind = wanted.kind();
        if (family == Family.INT8 && kind == Kind.BIGINT) {
            return when(true, Wire.BIGINT, PLAIN, Decoders::int8);
        }
        if (family == Family.INT4 && kind == Kind.INTEGER) {
            return when(true, Wire.INTEGER, PLAIN, Decoders::int4);
        }
        if (family == Family.INT2 && kind == Kind.SMALLINT) {
            return when(true, Wire.SMALLINT, PLAIN, Decoders::int2);
        }
        if (kind.isInteger()) {
            return when(true, Wire.BIGINT, as(wanted), Decoders.integer(longs, kind));
        }
        return switch (kind) {
            case DECIMAL -> when(true, Wire.BIGINT, as(wanted), Decoders.integerDecimal(longs, wanted));
            case DOUBLE -> when(true, Wire.DOUBLE, PLAIN, Decoders.integerDouble(longs));
            case FLOAT -> when(true, Wire.FLOAT, PLAIN, Decoders.integerFloat(longs));
            default -> Optional.empty();
        };
    }

    private static Optional<Cast> numeric(DuckType wanted) {
        Kind kind = wanted.kind();
        if (kind == Kind.DECIMAL && wanted.precision() <= LONG_DIGITS) {
            String restored = wanted.scale() == 0 ? as(wanted) : wanted.fromUnits();
            return when(true, Wire.BIGINT, restored, Decoders.shortDecimal(wanted));
        }
        if (kind == Kind.DECIMAL) {
            return when(true, Wire.VARCHAR, as(wanted), Decoders.longDecimal(wanted));
        }
        if (kind.isInteger()) {
            return when(true, Wire.VARCHAR, as(wanted), Decoders.wholeNumeric(kind));
        }
        return switch (kind) {
            case DOUBLE -> when(true, Wire.DOUBLE, PLAIN, Decoders::numericDouble);
            case FLOAT -> when(true, Wire.FLOAT, PLAIN, Decoders::numericFloat);
            default -> Optional.empty();
        };
    }

    private static Optional<Cast> floating(Family family, Kind kind) {
        if (kind == Kind.DOUBLE) {
            return when(
                    true, Wire.DOUBLE, PLAIN, family == Family.FLOAT4 ? Decoders::float4AsDouble : Decoders::float8);
        }
        return when(
                kind == Kind.FLOAT,
                Wire.FLOAT,
                PLAIN,
                family == Family.FLOAT4 ? Decoders::float4 : Decoders::float8AsFloat);
    }

    private static Optional<Cast> date(Kind kind) {
        return switch (kind) {
            case DATE -> when(true, Wire.INTEGER, Restored.DATE, Decoders::date);
            case TIMESTAMP -> when(true, Wire.BIGINT, Restored.TIMESTAMP, Decoders::dateAsMicros);
            case TIMESTAMPTZ -> when(true, Wire.BIGINT, Restored.TIMESTAMPTZ, Decoders::dateAsMicros);
            default -> Optional.empty();
        };
    }

    /** A timestamp stands for UTC, so that the two time types differ by name only. Source: contract, section 3. */
    private static Optional<Cast> timestamp(Kind kind) {
        return switch (kind) {
            case TIMESTAMP -> when(true, Wire.BIGINT, Restored.TIMESTAMP, Decoders::micros);
            case TIMESTAMPTZ -> when(true, Wire.BIGINT, Restored.TIMESTAMPTZ, Decoders::micros);
            case TIMESTAMP_S -> when(true, Wire.BIGINT, Restored.narrowed("TIMESTAMP_S"), Decoders.coarse(1_000_000));
            case TIMESTAMP_MS -> when(true, Wire.BIGINT, Restored.narrowed("TIMESTAMP_MS"), Decoders.coarse(1_000));
            case TIMESTAMP_NS -> when(true, Wire.BIGINT, Restored.narrowed("TIMESTAMP_NS"), Decoders::nanos);
            case DATE -> when(true, Wire.INTEGER, Restored.DATE, Decoders::midnight);
            default -> Optional.empty();
        };
    }

    private static String as(DuckType wanted) {
        return "CAST(%s AS " + wanted.sql() + ")";
    }

    /** The SQL that gives back what a wire type cannot say, infinities above all. */
    private static final class Restored {

        static final String DATE = "CASE %s WHEN " + Binary.INFINITE_DAYS + " THEN DATE 'infinity' WHEN "
                + -Binary.INFINITE_DAYS + " THEN DATE '-infinity' ELSE DATE '1970-01-01' + %s END";
        static final String TIMESTAMP = infinite("TIMESTAMP", "make_timestamp(%s)");
        static final String TIMESTAMPTZ = infinite("TIMESTAMPTZ", "make_timestamptz(%s)");
        static final String TIME =
                "CASE %s WHEN 86400000000 THEN TIME '24:00:00' ELSE TIME '00:00:00' + to_microseconds(%s) END";

        private Restored() {}

        private static String infinite(String type, String finite) {
            return "CASE %s WHEN " + Binary.INFINITE_MICROS + " THEN " + type + " 'infinity' WHEN "
                    + -Binary.INFINITE_MICROS + " THEN " + type + " '-infinity' ELSE " + finite + " END";
        }

        static String narrowed(String type) {
            return "CAST(" + TIMESTAMP + " AS " + type + ")";
        }
    }
}
