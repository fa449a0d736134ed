package dev.weir.plan;

import dev.weir.fault.Code;
import dev.weir.project.Call;
import dev.weir.project.Piece;
import dev.weir.project.PipelineSpec;
import dev.weir.project.Place;
import dev.weir.project.Problems;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes one SELECT of a pipeline: {@code INSERT INTO {{ sink(…) }}} and a final semicolon are cut out, sources and other
 * pipelines become tables of {@code staging}, every line stays where it is.
 */
final class SqlCompiler {

    private static final Set<String> QUERY = Set.of("SELECT", "WITH", "FROM", "VALUES", "PIVOT", "UNPIVOT", "TABLE");
    private static final String SHAPE = "INSERT INTO {{ sink(…) }} SELECT … FROM {{ source(…) }}";

    private final PipelineSpec pipeline;
    private final Map<Call, String> ids;
    private final Problems problems;
    private final List<Piece> pieces;

    /** @param ids the node of every source, ref and watermark call */
    SqlCompiler(PipelineSpec pipeline, Map<Call, String> ids, Problems problems) {
        this.pipeline = pipeline;
        this.ids = ids;
        this.problems = problems;
        this.pieces = new ArrayList<>(pipeline.pieces());
    }

    /** The statement; empty, and a problem, when the pipeline is neither one INSERT of one query nor one query. */
    Optional<CompiledSql> compile() {
        boolean single = cutSemicolon();
        return cutInsert() && single ? Optional.of(new CompiledSql(parts())) : Optional.empty();
    }

    private boolean cutSemicolon() {
        int end = -1;
        for (int i = 0; i < pieces.size(); i++) {
            Piece piece = pieces.get(i);
            if (isSymbol(i, ";")) {
                end = end < 0 ? i : end;
                blank(i);
            } else if (end >= 0 && !isBlank(i)) {
                problems.add(
                        Code.BAD_SQL,
                        piece.place(),
                        "a second statement begins here",
                        "write one statement a pipeline: " + SHAPE);
                return false;
            }
        }
        return true;
    }

    /** {@code INSERT INTO} one sink, or several with commas between them; nothing to cut where there is none. */
    private boolean cutInsert() {
        List<Integer> sinks = sinks();
        if (sinks.isEmpty()) {
            return isQuery(afterBrackets(after(-1)))
                    || refuse(new Place(pipeline.file(), 1, 1), "this is no query", "write SELECT …, or " + SHAPE);
        }
        int insert = before(before(sinks.get(0)));
        if (!isWord(insert, "INSERT") || !isWord(after(insert), "INTO") || !startsStatement(insert)) {
            return refuse(
                    pieces.get(sinks.get(0)).place(), "the sink call is not where rows are inserted", "write " + SHAPE);
        }
        blank(insert);
        blank(after(insert));
        int last = sinks.get(0);
        for (int sink : sinks.subList(1, sinks.size())) {
            int comma = after(last);
            if (!isSymbol(comma, ",") || after(comma) != sink) {
                return refuse(
                        pieces.get(sink).place(),
                        "the sink call does not follow the one before",
                        "name all sinks behind INSERT INTO, with commas: INSERT INTO {{ sink(…) }}, {{ sink(…) }} SELECT …");
            }
            blank(comma);
            last = sink;
        }
        return cutSinks(sinks);
    }

    private boolean cutSinks(List<Integer> sinks) {
        int sink = sinks.get(sinks.size() - 1);
        int next = after(sink);
        if (isSymbol(next, "(") && !isQuery(afterBrackets(next))) {
            return refuse(
                    pieces.get(next).place(),
                    "a list of columns behind the sink",
                    "take it out: columns go by name, so name them in the query, as in SELECT a AS id");
        }
        if (!isSymbol(next, "(") && !isQuery(next)) {
            Place place = next < pieces.size()
                    ? pieces.get(next).place()
                    : pieces.get(sink).place();
            return refuse(place, "no query follows the sink", "write " + SHAPE + "; columns go by name always");
        }
        sinks.forEach(this::blank);
        return true;
    }

    private boolean refuse(Place place, String what, String remedy) {
        problems.add(Code.BAD_SQL, place, what, remedy);
        return false;
    }

    private List<Integer> sinks() {
        List<Integer> indexes = new ArrayList<>();
        for (int i = 0; i < pieces.size(); i++) {
            if (pieces.get(i) instanceof Piece.Called called && called.call() instanceof Call.Sink) {
                indexes.add(i);
            }
        }
        return indexes;
    }

    /** Whether nothing but a WITH clause stands before, and no bracket is open. */
    private boolean startsStatement(int insert) {
        int first = after(-1);
        int depth = 0;
        for (int i = 0; i < insert; i++) {
            depth += isSymbol(i, "(") ? 1 : isSymbol(i, ")") ? -1 : 0;
        }
        return depth == 0 && (first == insert || isWord(first, "WITH"));
    }

    private int afterBrackets(int index) {
        int next = index;
        while (isSymbol(next, "(")) {
            next = after(next);
        }
        return next;
    }

    private boolean isQuery(int index) {
        return QUERY.stream().anyMatch(word -> isWord(index, word));
    }

    private int before(int index) {
        int i = index - 1;
        while (i >= 0 && isBlank(i)) {
            i--;
        }
        return i;
    }

    private int after(int index) {
        int i = index + 1;
        while (i < pieces.size() && isBlank(i)) {
            i++;
        }
        return i;
    }

    private boolean isBlank(int index) {
        return sql(index).filter(Piece.Sql::isBlank).isPresent();
    }

    private boolean isWord(int index, String word) {
        return sql(index).filter(sql -> sql.isWord(word)).isPresent();
    }

    private boolean isSymbol(int index, String symbol) {
        return sql(index).filter(sql -> sql.isSymbol(symbol)).isPresent();
    }

    private Optional<Piece.Sql> sql(int index) {
        return index >= 0 && index < pieces.size() && pieces.get(index) instanceof Piece.Sql sql
                ? Optional.of(sql)
                : Optional.empty();
    }

    /** Blanks of the same width, so that what follows on the line keeps its column. */
    private void blank(int index) {
        Piece piece = pieces.get(index);
        String blanks = piece.text().replaceAll("[^\\n]", " ");
        pieces.set(index, new Piece.Sql(piece.place(), Piece.Kind.BLANK, blanks));
    }

    private List<CompiledSql.Part> parts() {
        List<CompiledSql.Part> parts = new ArrayList<>();
        StringBuilder fixed = new StringBuilder();
        for (Piece piece : pieces) {
            CompiledSql.Part part = part(piece);
            if (part instanceof CompiledSql.Fixed same && same.isVerbatim()) {
                fixed.append(same.sql());
            } else {
                parts.add(CompiledSql.Fixed.verbatim(fixed.toString()));
                fixed.setLength(0);
                parts.add(part);
            }
        }
        parts.add(CompiledSql.Fixed.verbatim(fixed.toString()));
        return parts;
    }

    private CompiledSql.Part part(Piece piece) {
        if (!(piece instanceof Piece.Called called)) {
            return CompiledSql.Fixed.verbatim(piece.text());
        }
        String written = called.text();
        Call call = called.call();
        if (call instanceof Call.Source || call instanceof Call.Ref) {
            return new CompiledSql.RowsOf(String.valueOf(ids.get(call)), written);
        }
        if (call instanceof Call.Watermark) {
            return new CompiledSql.WatermarkOf(String.valueOf(ids.get(call)), written);
        }
        if (call instanceof Call.Literal literal) {
            return new CompiledSql.Fixed(literal.sql() + written.replaceAll("[^\\n]", ""), written);
        }
        return call instanceof Call.RunId ? new CompiledSql.RunId(written) : new CompiledSql.RunStartedAt(written);
    }
}
