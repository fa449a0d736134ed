package dev.weir.project;

import dev.weir.fault.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cuts a pipeline's text into pieces: SQL, as DuckDB's lexer sees it, and template calls.
 *
 * <p>Calls in comments are comment. Calls in quotes are refused, since they would either stay as they are or break the
 * quotes; {@code var()} brings its own. So are {@code {%} and {@code {#}: there are no loops and conditions.
 */
final class TemplateReader {

    private static final Pattern BLANK = Pattern.compile("\\s+|--[^\\n]*");
    private static final Pattern STRING = Pattern.compile("'[^']*+'");
    private static final Pattern ESCAPE_STRING = Pattern.compile("[eE]'(?:[^'\\\\]|\\\\.|'')*+'", Pattern.DOTALL);
    private static final Pattern NAME_IN_QUOTES = Pattern.compile("\"[^\"]*+\"");
    private static final Pattern DOLLAR = Pattern.compile("\\$(?:[\\p{L}_][\\p{L}\\p{N}_]*)?\\$");
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}_][\\p{L}\\p{N}_$]*");

    private final SourceText source;
    private final Calls calls;
    private final Problems problems;
    private final List<Piece> pieces = new ArrayList<>();
    private int at;

    private TemplateReader(SourceText source, Calls calls, Problems problems) {
        this.source = source;
        this.calls = calls;
        this.problems = problems;
    }

    static PipelineSpec read(String name, SourceText source, Calls calls, Problems problems) {
        int before = problems.count();
        TemplateReader reader = new TemplateReader(source, calls, problems);
        reader.cut();
        boolean readable = reader.pieces.stream()
                .noneMatch(piece -> piece instanceof Piece.Called called && called.call() instanceof Call.Unreadable);
        return new PipelineSpec(name, source.file(), reader.pieces, readable && problems.count() == before);
    }

    private void cut() {
        String text = source.text();
        while (at < text.length()) {
            if (text.startsWith("{{", at)) {
                call();
            } else if (text.startsWith("/*", at)) {
                add(Piece.Kind.BLANK, commentEnd());
            } else if (matches(BLANK)) {
                add(Piece.Kind.BLANK, matcher(BLANK));
            } else if (matches(ESCAPE_STRING)) {
                quoted(matcher(ESCAPE_STRING));
            } else if (matches(STRING)) {
                quoted(matcher(STRING));
            } else if (matches(NAME_IN_QUOTES)) {
                quoted(matcher(NAME_IN_QUOTES));
            } else if (matches(DOLLAR)) {
                dollarQuoted();
            } else if (matches(WORD)) {
                add(Piece.Kind.WORD, matcher(WORD));
            } else {
                symbol();
            }
        }
    }

    private void call() {
        int start = at;
        CallReader reader = new CallReader(source, start, problems);
        Call call;
        try {
            call = calls.read(reader.read());
            at = reader.end();
        } catch (CallReader.Refused e) {
            problems.add(Code.BAD_TEMPLATE, e.place, e.getMessage(), e.remedy);
            call = new Call.Unreadable(source.place(start));
            int end = source.text().indexOf("}}", reader.end());
            at = end < 0 ? source.text().length() : end + 2;
        }
        pieces.add(new Piece.Called(source.place(start), call, source.text().substring(start, at)));
    }

    private void quoted(int end) {
        int call = source.text().substring(at, end).indexOf("{{");
        if (call >= 0) {
            problems.add(
                    Code.BAD_TEMPLATE,
                    source.place(at + call),
                    "'{{' inside quotes is not expanded",
                    "take the quotes away, var() and env() bring their own; for the text itself write '{' || '{'");
        }
        add(Piece.Kind.QUOTED, end);
    }

    private void dollarQuoted() {
        int opened = matcher(DOLLAR);
        int close = source.text().indexOf(source.text().substring(at, opened), opened);
        if (close < 0) {
            unclosed("the dollar quote");
        } else {
            quoted(close + opened - at);
        }
    }

    private void symbol() {
        char c = source.text().charAt(at);
        if (c == '\'' || c == '"') {
            unclosed("the quote");
            return;
        }
        if (source.text().startsWith("{%", at) || source.text().startsWith("{#", at)) {
            problems.add(
                    Code.BAD_TEMPLATE,
                    source.place(at),
                    "'" + source.text().substring(at, at + 2) + "' is not part of weir's templates",
                    "write plain SQL; a comment is '--' or '/* */'");
        }
        add(Piece.Kind.SYMBOL, source.text().offsetByCodePoints(at, 1));
    }

    /** DuckDB nests comments. */
    private int commentEnd() {
        int depth = 0;
        for (int i = at; i < source.text().length(); i++) {
            if (source.text().startsWith("/*", i)) {
                depth++;
                i++;
            } else if (source.text().startsWith("*/", i)) {
                depth--;
                i++;
                if (depth == 0) {
                    return i + 1;
                }
            }
        }
        unclosedAt("the comment");
        return source.text().length();
    }

    private void unclosed(String what) {
        unclosedAt(what);
        add(Piece.Kind.QUOTED, source.text().length());
    }

    private void unclosedAt(String what) {
        problems.add(Code.BAD_SQL, source.place(at), what + " that opens here is not closed", "close it");
    }

    private void add(Piece.Kind kind, int end) {
        pieces.add(new Piece.Sql(source.place(at), kind, source.text().substring(at, end)));
        at = end;
    }

    private boolean matches(Pattern pattern) {
        return at(pattern).lookingAt();
    }

    private int matcher(Pattern pattern) {
        Matcher matcher = at(pattern);
        return matcher.lookingAt() ? matcher.end() : at;
    }

    private Matcher at(Pattern pattern) {
        return pattern.matcher(source.text()).region(at, source.text().length());
    }
}
