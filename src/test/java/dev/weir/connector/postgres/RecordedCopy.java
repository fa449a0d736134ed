package dev.weir.connector.postgres;

import dev.weir.connector.ConnectionSettings;
import dev.weir.connector.jdbc.DuckType;
import dev.weir.fault.Code;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyOut;

/** A binary COPY as a server has sent it once, played again without the server, whole or otherwise. */
final class RecordedCopy implements CopyOut {

    /** How many rows the recorded COPY has; the last is NULL in every column. */
    static final int ROWS = 4;

    /**
     * A column of it.
     *
     * @param oid of the type, or of the elements of an array
     * @param sql what gives its values
     */
    private record Recorded(long oid, int modifier, boolean array, String weirType, String sql) {

        ReadColumn column(int place) {
            PgType type = PgType.of(oid, modifier, "b", "t", "t" + oid);
            PgType read = array ? PgType.array(new PgType.Element(oid, type), modifier, type.written() + "[]") : type;
            Reading reading = Reading.of(read, DuckType.named(weirType), false).orElseThrow();
            return new ReadColumn("c" + place, "c" + place, read, reading);
        }
    }

    private static final List<Recorded> RECORDED = List.of(
            scalar(16, "BOOLEAN", "CASE i WHEN 4 THEN NULL ELSE i = 1 END"),
            scalar(21, "SMALLINT", "(ARRAY[-32768, 32767, 0])[i]::smallint"),
            scalar(23, "INTEGER", "(ARRAY[-2147483648, 2147483647, 0])[i]::int"),
            scalar(20, "BIGINT", "(ARRAY[-9223372036854775808, 9223372036854775807, 0])[i]::bigint"),
            scalar(26, "UINTEGER", "(ARRAY[4294967295, 0, 1])[i]::oid"),
            scalar(700, "FLOAT", "(ARRAY['NaN', '-0', '1e-45'])[i]::real"),
            scalar(701, "DOUBLE", "(ARRAY['-Infinity', '0.1', '5e-324'])[i]::float8"),
            new Recorded(
                    1700,
                    (12 << 16 | 2) + 4,
                    false,
                    "DECIMAL(12,2)",
                    "(ARRAY[0.01, -9999999999.99, 0])[i]::numeric(12,2)"),
            new Recorded(
                    1700,
                    (38 << 16 | 10) + 4,
                    false,
                    "DECIMAL(38,10)",
                    "(ARRAY[12345678901234567890.5, -1, 0])[i]::numeric(38,10)"),
            scalar(1700, "DOUBLE", "(ARRAY['NaN', 'Infinity', '1e100'])[i]::numeric"),
            scalar(25, "VARCHAR", "(ARRAY['', '日本 👍', repeat('x', 300)])[i]"),
            scalar(17, "BLOB", "(ARRAY['\\x', '\\x00ff', '\\x616263'])[i]::bytea"),
            scalar(1082, "DATE", "(ARRAY['infinity', '4713-01-01 BC', '5874897-12-31'])[i]::date"),
            scalar(1083, "TIME", "(ARRAY['24:00', '00:00', '23:59:59.999999'])[i]::time"),
            scalar(1266, "TIMETZ", "(ARRAY['24:00-15:59:59', '00:00+00', '12:00+05:30'])[i]::timetz"),
            scalar(1114, "TIMESTAMP", "(ARRAY['infinity', '4713-11-24 BC', '294247-01-01'])[i]::timestamp"),
            scalar(
                    1184,
                    "TIMESTAMPTZ",
                    "(ARRAY['-infinity', '2026-01-01+00', '1969-12-31 23:59:59.999999+00'])[i]::timestamptz"),
            scalar(1186, "INTERVAL", "(ARRAY['1 mon -1 day', '-178956970 years', '00:00:00.000001'])[i]::interval"),
            scalar(
                    2950,
                    "UUID",
                    "(ARRAY['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])[i]::uuid"),
            scalar(114, "JSON", "(ARRAY['{\"a\":  1}', 'null', '[]'])[i]::json"),
            scalar(3802, "JSON", "(ARRAY['{\"a\": 1}', 'null', '[]'])[i]::jsonb"),
            scalar(1562, "BIT", "(ARRAY['0', '101010101', '11111111'])[i]::varbit"),
            new Recorded(
                    23,
                    -1,
                    true,
                    "INTEGER[]",
                    "CASE i WHEN 1 THEN '{}' WHEN 2 THEN '{1,NULL,3}' WHEN 3 THEN '{7}' END::int[]"),
            new Recorded(
                    23, -1, true, "INTEGER[][]", "CASE i WHEN 1 THEN '{{1,2},{3,NULL}}' WHEN 2 THEN '{}' END::int[]"),
            new Recorded(
                    25,
                    -1,
                    true,
                    "VARCHAR[]",
                    "CASE i WHEN 1 THEN '{\"\",NULL,\"a,b\"}' WHEN 2 THEN '{👍}' END::text[]"),
            new Recorded(
                    1700,
                    (10 << 16 | 2) + 4,
                    true,
                    "DECIMAL(10,2)[]",
                    "CASE i WHEN 1 THEN '{1.5,-0.01}' END::numeric(10,2)[]"),
            new Recorded(1186, -1, true, "INTERVAL[]", "CASE i WHEN 2 THEN '{1 mon,NULL}' END::interval[]"));

    private static Recorded scalar(long oid, String weirType, String sql) {
        return new Recorded(oid, -1, false, weirType, sql);
    }

    /** The query whose COPY is recorded in {@code recorded.copy}. */
    static String query() {
        return "SELECT " + RECORDED.stream().map(Recorded::sql).collect(Collectors.joining(", "))
                + " FROM generate_series(1, " + ROWS + ") AS i";
    }

    static List<ReadColumn> columns() {
        List<ReadColumn> columns = new ArrayList<>();
        RECORDED.forEach(recorded -> columns.add(recorded.column(columns.size())));
        return columns;
    }

    static byte[] bytes() {
        try (InputStream file = RecordedCopy.class.getResourceAsStream("recorded.copy")) {
            return Objects.requireNonNull(file).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final List<byte[]> messages;
    private final long rows;
    private int played;

    /** @param rows how many rows the server says it has sent */
    RecordedCopy(List<byte[]> messages, long rows) {
        this.messages = messages;
        this.rows = rows;
    }

    /** A read of these messages, by a session that never connects. */
    CopyRead read(List<ReadColumn> columns) {
        return new CopyRead(session(), "pg.t", columns, -1, "the slice", CopyFrames.Pieces.of(this));
    }

    /** One that never connects. */
    static Session session() {
        Map<String, String> options = Map.of("host", "localhost", "database", "none", "user", "nobody");
        return new Session(Address.of(new ConnectionSettings("pg", options, Path.of("."), true)), Code.SOURCE);
    }

    @Override
    public byte @Nullable [] readFromCopy() {
        return played < messages.size() ? messages.get(played++) : null;
    }

    @Override
    public byte @Nullable [] readFromCopy(boolean block) {
        return readFromCopy();
    }

    @Override
    public int getFieldCount() {
        return RECORDED.size();
    }

    @Override
    public int getFormat() {
        return 1;
    }

    @Override
    public int getFieldFormat(int field) {
        return 1;
    }

    @Override
    public boolean isActive() {
        return played < messages.size();
    }

    @Override
    public void cancelCopy() {
        played = messages.size();
    }

    @Override
    public long getHandledRowCount() {
        return rows;
    }
}
