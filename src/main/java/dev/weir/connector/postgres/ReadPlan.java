package dev.weir.connector.postgres;

import dev.weir.connector.Column;
import dev.weir.connector.Entity;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.jdbc.DuckType;
import dev.weir.fault.RunException;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorType;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.jdbc.PgConnection;

/**
 * What is asked of an entity, checked against its columns as the snapshot sees them.
 *
 * @param from the table or derived table, in SQL
 * @param columns what is read, the hidden cursor last
 * @param cursor the cursor and the family of its column; null: a full read
 * @param raw whether each column asked for comes as what it is, so that its bytes stand for its value: none is declared as
 *     another type, or looked at while it is decoded
 */
record ReadPlan(
        String from, List<ReadColumn> columns, @Nullable CursorColumn cursor, boolean raw) {

    /**
     * The column that orders the rows.
     *
     * @param place which of the columns read it is
     */
    record CursorColumn(Cursor cursor, PgType type, int place) {

        String quoted() {
            return Sql.quote(cursor.column());
        }

        /** Whether the column can hold finite values that the cursor's type cannot. */
        boolean isWiderThanCursor() {
            return !cursor.type().isTime()
                    && CursorType.named(type.natural().sql())
                            .filter(cursor.type()::holds)
                            .isEmpty();
        }
    }

    /**
     * What is read, and its columns.
     *
     * @param sql a table by its full name, so that search_path is asked once only, or a derived table
     */
    private record From(String sql, List<Catalog.Column> columns) {

        static From of(PgConnection connection, Failures failures, String place, Entity entity) throws SQLException {
            if (entity instanceof Entity.Query query) {
                return new From(Catalog.derived(query.sql()), Catalog.columns(connection, query.sql()));
            }
            Catalog.Table table = PostgresSource.table(connection, failures, place, (Entity.Table) entity);
            return new From(Sql.quote(table.name()), Catalog.columns(connection, table));
        }
    }

    /** @throws RunException when a column is missing, or cannot be read as asked */
    static ReadPlan of(PgConnection connection, Failures failures, String place, ReadRequest request)
            throws SQLException {
        From from = From.of(connection, failures, place, request.entity());
        List<Catalog.Column> known = from.columns();
        request.checkColumns(
                place, known.stream().map(PostgresSource::described).toList());
        boolean validated = "SQL_ASCII".equals(connection.getParameterStatus("server_encoding"));
        boolean raw = !validated;
        List<ReadColumn> columns = new ArrayList<>();
        for (Column wanted : request.columns()) {
            Catalog.Column column = find(known, failures, place, wanted.name());
            DuckType type = DuckType.named(wanted.type());
            columns.add(read(failures, place, column, wanted.name(), type, validated));
            raw &= type.equals(column.type().natural())
                    && columns.get(columns.size() - 1).reading().asked().equals(Reading.PLAIN);
        }
        CursorColumn cursor = null;
        if (request.cursor().isPresent()) {
            Cursor wanted = request.cursor().get();
            Catalog.Column column = find(known, failures, place, wanted.column());
            if (!CursorSql.fits(column.type().family(), wanted.type())) {
                throw failures.of(
                        place,
                        "the column " + wanted.column() + " is a "
                                + column.type().written() + ", which cannot be windowed as " + wanted.type(),
                        "take a cursor column whose type fits, or declare the column as what it is");
            }
            if (request.hidesCursor()) {
                DuckType type = wanted.type().isEpoch()
                        ? column.type().natural()
                        : DuckType.named(wanted.type().toString());
                columns.add(read(failures, place, column, ReadRequest.HIDDEN_CURSOR, type, validated));
            }
            cursor = new CursorColumn(wanted, column.type(), placeOf(columns, wanted.column()));
        }
        return new ReadPlan(from.sql(), List.copyOf(columns), cursor, raw);
    }

    private static int placeOf(List<ReadColumn> columns, String name) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    private static Catalog.Column find(List<Catalog.Column> known, Failures failures, String place, String name) {
        Optional<Catalog.Column> found =
                known.stream().filter(column -> column.name().equals(name)).findFirst();
        return found.orElseThrow(() -> failures.of(
                place,
                "there is no column " + name,
                "its columns are "
                        + known.stream().map(Catalog.Column::name).collect(Collectors.joining(", "))
                        + "; names are case-sensitive"));
    }

    private static ReadColumn read(
            Failures failures,
            String place,
            Catalog.Column column,
            String stagedName,
            DuckType wanted,
            boolean validated) {
        Reading reading = Reading.of(column.type(), wanted, validated)
                .orElseThrow(() -> failures.of(
                        place,
                        "the column " + column.name() + ", a " + column.type().written() + ", cannot be read as "
                                + wanted.sql(),
                        "read it as " + column.type().natural().sql() + " or as VARCHAR, which are exact"));
        return new ReadColumn(column.name(), stagedName, column.type(), reading);
    }

    String select(Optional<CursorRange> range) {
        String list = columns.isEmpty()
                ? ""
                : columns.stream().map(ReadColumn::selected).collect(Collectors.joining(", "));
        return "SELECT " + list + " FROM " + from
                + range.map(within -> " WHERE " + where(within)).orElse("");
    }

    String where(CursorRange range) {
        CursorColumn column = needCursor();
        return CursorSql.within(column.quoted(), column.type().family(), range);
    }

    CursorColumn needCursor() {
        if (cursor == null) {
            throw new IllegalStateException("a full read has no cursor");
        }
        return cursor;
    }
}
