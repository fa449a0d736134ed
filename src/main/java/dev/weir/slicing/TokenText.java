package dev.weir.slicing;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * A text with places that are filled for each chunk, or for each run. Immutable and thread-safe.
 *
 * <p>Source of the rule: contract, section 6.
 *
 * @param parts in order; together the whole text
 */
public record TokenText(List<Part> parts) {

    public TokenText {
        parts = List.copyOf(parts);
    }

    /** A piece of the text. */
    public sealed interface Part permits Plain, Token {

        /** As its author wrote it. */
        String written();

        /** As it stands in the text of one chunk or run. */
        String render(Moment moment);
    }

    /** Text that is always the same, whatever it looks like. */
    public record Plain(String written) implements Part {
        @Override
        public String render(Moment moment) {
            return written;
        }
    }

    /** A text without tokens. */
    public static TokenText plain(String text) {
        return new TokenText(List.of(new Plain(text)));
    }

    public boolean hasTokens() {
        return parts.stream().anyMatch(Token.class::isInstance);
    }

    /** The tokens, in the order of the text. */
    public List<Token> tokens() {
        return parts.stream()
                .filter(Token.class::isInstance)
                .map(Token.class::cast)
                .toList();
    }

    /** The first token that nothing stands for outside a backfill; empty: a run can read the text. */
    public Optional<Token> ofBackfill() {
        return tokens().stream().filter(Token::isOfBackfill).findFirst();
    }

    /** The text as its author wrote it. */
    public String written() {
        return String.join("", parts.stream().map(Part::written).toList());
    }

    /**
     * The text for one chunk, or for one run.
     *
     * @throws IllegalStateException when a token has no value there, as {@link #ofBackfill} and {@link #contradiction}
     *     tell beforehand: a programming error
     */
    public String render(Moment moment) {
        return String.join("", parts.stream().map(part -> part.render(moment)).toList());
    }

    /** Whether dates, and nothing finer, tell where a chunk begins or ends. */
    public boolean isScopedByDatesAlone() {
        List<Token> bounds = tokens().stream().filter(Token::isBound).toList();
        return !bounds.isEmpty() && bounds.stream().allMatch(Token::isOfDays);
    }

    /**
     * Why the text cannot mean a chunk exactly.
     *
     * @param what without a full stop, naming the token
     */
    public record Contradiction(String what, String remedy) {}

    /**
     * Why the text cannot stand for exactly this chunk; empty: it can.
     *
     * @param cursorToo whether a cursor scopes the rows too, so that dates may take in more than the chunk, and never less
     */
    public Optional<Contradiction> contradiction(Moment.OfChunk chunk, boolean cursorToo) {
        String range = "the chunk [" + Token.bound(chunk.from()) + " → " + Token.bound(chunk.to()) + ")";
        for (Token token : tokens()) {
            if (token.needsTime() && chunk.isOfNumbers()) {
                return Optional.of(new Contradiction(
                        token + " needs a date or a time, and " + range + " is one of numbers",
                        "write ${backfill.start} and ${backfill.end}, or give bounds in time"));
            }
            if (token.needsWholeSeconds()
                    && !(cursorToo ? !token.isEnd() || chunk.endsWithSecond() : chunk.isOfWholeSeconds())) {
                return Optional.of(new Contradiction(
                        token + " counts whole seconds, and " + range + " does not begin and end with one",
                        "give bounds without a fraction of a second"));
            }
        }
        if (isScopedByDatesAlone() && !fitsDays(chunk, cursorToo)) {
            return Optional.of(new Contradiction(
                    range + " does not begin and end at midnight in " + chunk.zone()
                            + ", and the query is scoped by dates alone: " + tokens().get(0),
                    "take whole days as bounds and window, name their zone with --timezone,"
                            + " or write ${backfill.start} and ${backfill.end} in the query"));
        }
        if (namesOneTime() && !(cursorToo ? isWithinOneTime(chunk) : isOneTime(chunk))) {
            return Optional.of(new Contradiction(
                    range + " is not what the query asks for, which is the month, day or hour of " + tokens().get(0)
                            + ", whole",
                    "take a --window of exactly that, or write ${backfill.start_date} and ${backfill.end_date} in the"
                            + " query"));
        }
        return Optional.empty();
    }

    /** An end that is a date leaves out the rows of that day, and no cursor brings them back. */
    private boolean fitsDays(Moment.OfChunk chunk, boolean cursorToo) {
        return cursorToo ? !namesEnd() || chunk.endsWithDay() : chunk.isOfWholeDays();
    }

    /** Whether it says where a chunk ends. */
    private boolean namesEnd() {
        return tokens().stream().anyMatch(Token::isEnd);
    }

    /** Whether it names a day, an hour, a month, and not where a chunk ends. */
    private boolean namesOneTime() {
        List<Token> bounds = tokens().stream().filter(Token::isBound).toList();
        return !bounds.isEmpty() && bounds.stream().allMatch(Token::isPartOfTime) && !namesEnd();
    }

    /** Whether what it names is that of all of the chunk. */
    private boolean isWithinOneTime(Moment.OfChunk chunk) {
        return named(chunk, chunk.from()).equals(named(chunk, chunk.to().plus(BigInteger.ONE.negate())));
    }

    /** Whether what it names is that of all of the chunk, and of nothing else. */
    private boolean isOneTime(Moment.OfChunk chunk) {
        String named = named(chunk, chunk.from());
        return isWithinOneTime(chunk)
                && !named.equals(named(chunk, chunk.from().plus(BigInteger.ONE.negate())))
                && !named.equals(named(chunk, chunk.to()));
    }

    private String named(Moment.OfChunk chunk, CursorValue at) {
        Moment moment = new Moment.OfChunk(chunk.id(), at, chunk.to(), chunk.zone());
        return String.join(
                " ",
                tokens().stream()
                        .filter(Token::isBound)
                        .map(token -> token.render(moment))
                        .toList());
    }
}
