package dev.weir.project;

import dev.weir.fault.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the options of an entity, which look the same in connections.yml and in a template call. */
final class EntityReader {

    private final Problems problems;
    private final Code unknown;

    /** @param unknown the code of an option nobody knows */
    EntityReader(Problems problems, Code unknown) {
        this.problems = problems;
        this.unknown = unknown;
    }

    EntitySpec entity(Value.Scalar name, Value value, String path) {
        Optional<Value.Mapping> mapping = Fields.mapping(value, path, problems);
        if (mapping.isEmpty()) {
            return new EntitySpec(name, ReadSpec.NONE.unsound(), WriteSpec.NONE.unsound());
        }
        Fields fields = new Fields(mapping.get(), path, Grammar.ENTITY, problems);
        Optional<Value.Entry> read = fields.entry("read");
        Optional<Value.Entry> write = fields.entry("write");
        ReadSpec readSpec = read.map(entry -> entry.value())
                .flatMap(below -> Fields.mapping(below, path + ".read", problems))
                .map(below -> read(below, path + ".read"))
                .orElse(read.isEmpty() ? ReadSpec.NONE : ReadSpec.NONE.unsound());
        WriteSpec writeSpec = write.map(entry -> entry.value())
                .flatMap(below -> Fields.mapping(below, path + ".write", problems))
                .map(below -> write(below, path + ".write"))
                .orElse(write.isEmpty() ? WriteSpec.NONE : WriteSpec.NONE.unsound());
        boolean misplaced = false;
        for (Value.Entry entry : fields.others()) {
            misplaced = true;
            boolean reads = Grammar.READ.names().contains(entry.key().text());
            if (reads || Grammar.WRITE.names().contains(entry.key().text())) {
                fields.passOver(entry.key().text());
                problems.add(
                        unknown,
                        entry.key().place(),
                        "'" + entry.key().text() + "' directly under " + path,
                        "put it one level deeper, under '" + (reads ? "read" : "write") + ":'");
            }
        }
        fields.refuseOthers(unknown);
        return misplaced
                ? new EntitySpec(name, readSpec.unsound(), writeSpec.unsound())
                : new EntitySpec(name, readSpec, writeSpec);
    }

    ReadSpec read(Value.Mapping mapping, String path) {
        int before = problems.count();
        Fields fields = new Fields(mapping, path, Grammar.READ, problems);
        Optional<Keyed<List<ColumnSpec>>> columns = fields.mapping("columns")
                .map(keyed -> new Keyed<>(keyed.place(), columns(keyed.value(), path + ".columns")));
        Optional<Keyed<SyncSpec>> sync = fields.mapping("sync")
                .map(keyed -> new Keyed<>(keyed.place(), sync(keyed.place(), keyed.value(), path + ".sync")));
        Optional<Keyed<Value.Tokens>> query = fields.tokens("query");
        fields.refuseOthers(unknown);
        return new ReadSpec(columns, sync, query, problems.count() == before && !mapping.hasUnset());
    }

    private List<ColumnSpec> columns(Value.Mapping mapping, String path) {
        if (mapping.entries().isEmpty()) {
            problems.add(
                    Code.BAD_VALUE,
                    mapping.place(),
                    path + " names no column",
                    "name the columns to read, as in { id: bigint }, or take the key out to read all of them");
        }
        List<ColumnSpec> columns = new ArrayList<>();
        boolean torn = false;
        for (Value.Entry entry : mapping.entries()) {
            boolean rest = torn && entry.key().text().endsWith(")");
            torn = isTorn(entry.value());
            if (torn) {
                problems.add(
                        Code.BAD_VALUE,
                        entry.value().place(),
                        path + "." + entry.key().text() + ": the type is cut off at its comma",
                        "put a type with a comma in quotes, as in \"decimal(12,2)\"");
            } else if (!rest) {
                Fields.scalar(entry.value(), path + "." + entry.key().text(), problems)
                        .ifPresent(type -> columns.add(new ColumnSpec(entry.key(), type)));
            }
        }
        return columns;
    }

    /** In {@code { amount: decimal(12,2) }} the comma ends the value. */
    private static boolean isTorn(Value value) {
        return value instanceof Value.Scalar type
                && !type.quoted()
                && type.text().contains("(")
                && !type.text().contains(")");
    }

    private SyncSpec sync(Place place, Value.Mapping mapping, String path) {
        Fields fields = new Fields(mapping, path, Grammar.SYNC, problems);
        Optional<Keyed<Value.Scalar>> mode = fields.scalar("mode");
        if (mapping.entry("mode").isEmpty()) {
            missing(place, path, "mode", "mode: incremental");
        }
        mode.filter(keyed -> !keyed.value().text().equals("incremental"))
                .ifPresent(keyed -> problems.add(
                        Code.BAD_VALUE,
                        keyed.value().place(),
                        path + ".mode is '" + keyed.value().text() + "'",
                        "the only mode is incremental; leave the sync block out to read the whole entity each time"));
        Optional<Keyed<Value.Scalar>> cursor = fields.scalar("cursor");
        if (mapping.entry("cursor").isEmpty()) {
            missing(place, path, "cursor", "cursor: COLUMN, the column that orders the rows");
        }
        SyncSpec sync = new SyncSpec(
                place,
                cursor,
                fields.scalar("cursor_unit"),
                fields.scalar("max_window"),
                fields.scalar("target"),
                fields.scalar("target_rows"),
                fields.scalar("max_window_limit"),
                fields.scalar("initial"),
                fields.scalar("until"),
                fields.scalar("delay"),
                fields.scalar("lookback"),
                fields.scalar("nulls"),
                fields.scalar("settle"),
                fields.scalar("settle_timeout"));
        fields.refuseOthers(Code.UNKNOWN_KEY);
        return sync;
    }

    private void missing(Place place, String path, String key, String write) {
        problems.add(Code.MISSING_KEY, place, path + " has no '" + key + "'", "add '" + write + "'");
    }

    WriteSpec write(Value.Mapping mapping, String path) {
        int before = problems.count();
        Fields fields = new Fields(mapping, path, Grammar.WRITE, problems);
        Optional<Keyed<Value.Scalar>> strategy = fields.scalar("strategy");
        Optional<Keyed<List<Value.Scalar>>> keys = fields.scalars("keys");
        Optional<Keyed<Value.Scalar>> orderBy = fields.scalar("order_by");
        Optional<Keyed<Value.Scalar>> keepColumns = fields.scalar("keep_columns");
        Optional<Keyed<Value.Scalar>> onSchemaChange = fields.scalar("on_schema_change");
        Optional<Keyed<Value.Scalar>> deleteWhen = fields.scalar("delete_when");
        Optional<Keyed<Value.Scalar>> duplicates = fields.scalar("duplicates");
        Optional<Keyed<Value.Scalar>> delivery = fields.scalar("delivery");
        Optional<Keyed<Value.Scalar>> perSlice = fields.scalar("per_slice");
        fields.refuseOthers(unknown);
        boolean sound = problems.count() == before && !mapping.hasUnset();
        return new WriteSpec(
                strategy,
                keys,
                orderBy,
                keepColumns,
                onSchemaChange,
                deleteWhen,
                duplicates,
                delivery,
                perSlice,
                sound);
    }
}
