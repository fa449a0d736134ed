package dev.weir.plan;

import dev.weir.connector.Column;
import dev.weir.connector.Entity;
import dev.weir.fault.Code;
import dev.weir.project.Call;
import dev.weir.project.ColumnSpec;
import dev.weir.project.EntitySpec;
import dev.weir.project.Keyed;
import dev.weir.project.Nearest;
import dev.weir.project.Problems;
import dev.weir.project.ReadSpec;
import dev.weir.project.SyncSpec;
import dev.weir.project.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Gathers what connections.yml and the calls of all pipelines say of each entity, and makes its node of it. */
final class Sources {

    /** Brackets, casts, and operators between blanks: SQL, not the name of a column. */
    private static final Pattern EXPRESSION = Pattern.compile(".*(?:\\(.*\\)|::|\\s(?:[-+*/%|]+|AT TIME ZONE)\\s).*");

    private final Entities entities;
    private final Problems problems;
    private final Map<EntityRef, ReadSpec> reads = new TreeMap<>();
    private final Map<EntityRef, Keyed<Value.Scalar>> watermarkCursors = new HashMap<>();
    private final Map<EntityRef, List<Call.Watermark>> watermarks = new TreeMap<>();
    private final Set<EntityRef> read = new HashSet<>();

    Sources(Entities entities, Problems problems) {
        this.entities = entities;
        this.problems = problems;
        for (EntityRef ref : entities.all()) {
            entities.spec(ref).map(EntitySpec::read).ifPresent(spec -> reads.put(ref, spec));
        }
    }

    void add(EntityRef ref, Call.Source call) {
        read.add(ref);
        reads.merge(ref, call.options(), (declared, called) -> declared.with(called, problems));
    }

    void add(EntityRef ref, Call.Watermark call) {
        watermarks.computeIfAbsent(ref, key -> new ArrayList<>()).add(call);
        if (call.cursor().isEmpty()) {
            return;
        }
        Keyed<Value.Scalar> cursor = call.cursor().get();
        Keyed<Value.Scalar> first = watermarkCursors.putIfAbsent(ref, cursor);
        if (first != null && !first.value().text().equals(cursor.value().text())) {
            problems.add(
                    Code.OPTION_TWICE,
                    cursor.place(),
                    "the cursor of " + ref.key() + " is '" + cursor.value().text() + "' here and '"
                            + first.value().text() + "' at " + first.place(),
                    "an entity has one cursor: write the same one");
        }
    }

    /** The nodes of all entities that are read, by key; one with problems is missing. Unread ones are checked too. */
    Map<EntityRef, SourceNode> nodes() {
        NodeIds ids = new NodeIds();
        Map<EntityRef, SourceNode> nodes = new LinkedHashMap<>();
        reads.forEach((ref, spec) -> {
            int before = problems.count();
            List<Column> columns = columns(spec);
            Optional<SyncText> sync = sync(ref, spec);
            SourceNode node = new SourceNode(
                    ids.source(ref),
                    ref.key(),
                    ref.connection(),
                    entity(ref, spec),
                    columns,
                    sync,
                    tokens(spec),
                    sync.map(SyncText::cursor));
            if (spec.sound() && problems.count() == before) {
                check(node);
            }
            if (read.contains(ref) && spec.sound() && problems.count() == before) {
                nodes.put(ref, node);
            }
        });
        return nodes;
    }

    private Entity entity(EntityRef ref, ReadSpec spec) {
        if (spec.query().isEmpty()) {
            return new Entity.Table(ref.name());
        }
        Value.Tokens query = spec.query().get().value();
        String written = query.text().written();
        if (written.isBlank()) {
            problems.add(Code.BAD_VALUE, query.place(), ref.key() + ": the query is empty", "write a SELECT");
        }
        return new Entity.Query(ref.name().toString(), written);
    }

    private static Optional<Value.Tokens> tokens(ReadSpec spec) {
        return spec.query().map(Keyed::value).filter(query -> query.text().hasTokens());
    }

    private List<Column> columns(ReadSpec spec) {
        List<Column> columns = new ArrayList<>();
        for (ColumnSpec column : spec.columns().map(Keyed::value).orElse(List.of())) {
            Value.Scalar written = column.type();
            Optional<String> type = ColumnTypes.canonical(written.text());
            if (type.isEmpty()) {
                problems.add(
                        Code.BAD_VALUE,
                        written.place(),
                        "'" + written.text() + "' is no type for the column "
                                + column.name().text(),
                        typeHint(written.text()));
            }
            type.ifPresent(name -> columns.add(new Column(column.name().text(), name)));
        }
        return columns;
    }

    private static String typeHint(String written) {
        if (written.strip().matches("(?i)decimal|numeric|dec")) {
            return "say how many digits it has, and how many after the point, as in \"decimal(18,3)\"";
        }
        String near = Nearest.to(written, ColumnTypes.known())
                .map(type -> "did you mean '" + type + "'? ")
                .orElse("");
        return near + "write a DuckDB type, as in bigint, varchar, timestamptz, \"decimal(18,3)\"";
    }

    private Optional<SyncText> sync(EntityRef ref, ReadSpec spec) {
        Optional<Keyed<Value.Scalar>> cursor = Optional.ofNullable(watermarkCursors.get(ref));
        if (spec.sync().isEmpty()) {
            if (cursor.isEmpty() && spec.sound()) {
                watermarks.getOrDefault(ref, List.of()).forEach(call -> notIncremental(ref, call));
            }
            return cursor.map(keyed -> SyncText.unbounded(keyed.value().text(), keyed.place()));
        }
        cursor.ifPresent(keyed -> problems.add(
                Code.OPTION_TWICE,
                keyed.place(),
                ref.key() + " has its cursor in its sync block, at "
                        + spec.sync().get().place(),
                "write watermark() without a cursor"));
        SyncSpec sync = spec.sync().get().value();
        return sync.cursor()
                .map(keyed -> new SyncText(
                        keyed.value().text(),
                        keyed.place(),
                        sync.cursorUnit(),
                        sync.maxWindow(),
                        sync.target(),
                        sync.targetRows(),
                        sync.maxWindowLimit(),
                        sync.initial(),
                        sync.until(),
                        sync.delay(),
                        sync.lookback(),
                        sync.nulls(),
                        sync.settle(),
                        sync.settleTimeout()));
    }

    private void notIncremental(EntityRef ref, Call.Watermark call) {
        problems.add(
                Code.NEEDS_INCREMENTAL,
                call.place(),
                ref.key() + " has no watermark: it is read whole",
                "give it a sync block, or name its cursor here: {{ watermark('"
                        + call.connection().text() + "', '" + call.entity().text() + "', cursor: 'COLUMN') }}");
    }

    private void check(SourceNode node) {
        if (node.sync().isEmpty()) {
            return;
        }
        SyncText sync = node.sync().get();
        Optional<Column> declared = node.columns().stream()
                .filter(column -> column.name().equals(sync.cursor()))
                .findFirst();
        if (declared.isEmpty() && EXPRESSION.matcher(sync.cursor()).matches()) {
            problems.add(
                    Code.BAD_WINDOW,
                    sync.place(),
                    node.key() + ": the cursor '" + sync.cursor()
                            + "' is an expression, and a cursor is the name of a column",
                    "name a column; for an expression, make a view, or give the entity a 'query:' that has it as a column");
            return;
        }
        declared.ifPresent(column -> SyncCheck.read(node, column.type(), problems));
    }
}
