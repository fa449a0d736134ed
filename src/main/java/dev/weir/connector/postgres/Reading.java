package dev.weir.connector.postgres;

import dev.weir.connector.SliceRead.Wire;
import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.jdbc.DuckType.Kind;
import dev.weir.connector.postgres.PgType.Family;
import java.util.Optional;

/**
 * How a column of a Postgres type is read as a DuckDB type: exactly, or not at all.
 *
 * @param asText whether the server is asked for the value's text
 * @param wire what fills the vector
 * @param restored SQL over {@code %s} that gives the value, see {@link dev.weir.connector.SliceRead.WireColumn}
 * @param decoder puts a value into the vector
 */
record Reading(boolean asText, Wire wire, String restored, Decoder decoder) {

    private static final String PLAIN = "%s";
    private static final int LONG_DIGITS = 18;

    /**
     * @param validated whether text must be checked, since the server does not
     * @return empty where no cast would be exact
     */
    static Optional<Reading> of(PgType source, DuckType wanted, boolean validated) {
        Family family = source.family();
        if (wanted.kind() == Kind.VARCHAR) {
            Decoder text = validated ? Decoders.validText() : Decoders::text;
            return Optional.of(new Reading(family != Family.TEXT, Wire.VARCHAR, PLAIN, text));
        }
        return switch (family) {
            case BOOL -> when(wanted.kind() == Kind.BOOLEAN, Wire.BOOLEAN, PLAIN, Decoders::bool);
            case INT2, INT4, INT8, OID -> integer(family, wanted);
            case NUMERIC -> numeric(wanted);
            case FLOAT4, FLOAT8 -> floating(family, wanted.kind());
            case BYTEA -> when(wanted.kind() == Kind.BLOB, Wire.VARCHAR, "from_base64(%s)", Decoders::base64);
            case UUID -> when(wanted.kind() == Kind.UUID, Wire.VARCHAR, "CAST(%s AS UUID)", Decoders::uuid);
            case JSON -> when(wanted.kind() == Kind.JSON, Wire.VARCHAR, "CAST(%s AS JSON)", Decoders::text);
            case JSONB -> when(wanted.kind() == Kind.JSON, Wire.VARCHAR, "CAST(%s AS JSON)", Decoders::jsonb);
            case TIME -> when(wanted.kind() == Kind.TIME, Wire.BIGINT, Restored.TIME, Decoders::time);
            case DATE -> date(wanted.kind());
            case TIMESTAMP, TIMESTAMPTZ -> timestamp(wanted.kind());
            case TEXT, CHAR, NAME, ENUM, OTHER -> Optional.empty();
        };
    }

    private static Optional<Reading> when(boolean exact, Wire wire, String restored, Decoder decoder) {
        return exact ? Optional.of(new Reading(false, wire, restored, decoder)) : Optional.empty();
    }

    private static Optional<Reading> integer(Family family, DuckType wanted) {
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
            return when(true, Wire.BIGINT, cast(wanted), Decoders.integer(longs, kind));
        }
        return switch (kind) {
            case DECIMAL -> when(true, Wire.BIGINT, cast(wanted), Decoders.integerDecimal(longs, wanted));
            case DOUBLE -> when(true, Wire.DOUBLE, PLAIN, Decoders.integerDouble(longs));
            case FLOAT -> when(true, Wire.FLOAT, PLAIN, Decoders.integerFloat(longs));
            default -> Optional.empty();
        };
    }

    private static Optional<Reading> numeric(DuckType wanted) {
        Kind kind = wanted.kind();
        if (kind == Kind.DECIMAL && wanted.precision() <= LONG_DIGITS) {
            String restored = wanted.scale() == 0 ? cast(wanted) : wanted.fromUnits();
            return when(true, Wire.BIGINT, restored, Decoders.shortDecimal(wanted));
        }
        if (kind == Kind.DECIMAL) {
            return when(true, Wire.VARCHAR, cast(wanted), Decoders.longDecimal(wanted));
        }
        if (kind.isInteger()) {
            return when(true, Wire.VARCHAR, cast(wanted), Decoders.wholeNumeric(kind));
        }
        return switch (kind) {
            case DOUBLE -> when(true, Wire.DOUBLE, PLAIN, Decoders::numericDouble);
            case FLOAT -> when(true, Wire.FLOAT, PLAIN, Decoders::numericFloat);
            default -> Optional.empty();
        };
    }

    private static Optional<Reading> floating(Family family, Kind kind) {
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

    private static Optional<Reading> date(Kind kind) {
        return switch (kind) {
            case DATE -> when(true, Wire.INTEGER, Restored.DATE, Decoders::date);
            case TIMESTAMP -> when(true, Wire.BIGINT, Restored.TIMESTAMP, Decoders::dateAsMicros);
            case TIMESTAMPTZ -> when(true, Wire.BIGINT, Restored.TIMESTAMPTZ, Decoders::dateAsMicros);
            default -> Optional.empty();
        };
    }

    /** A timestamp stands for UTC, so that the two time types differ by name only. Source: contract, section 3. */
    private static Optional<Reading> timestamp(Kind kind) {
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

    private static String cast(DuckType wanted) {
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
