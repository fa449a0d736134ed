package dev.weir.project;

import dev.weir.fault.Code;
import dev.weir.slicing.LiteralException;
import dev.weir.slicing.Token;
import dev.weir.slicing.TokenText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the tokens of a query. Source of the rule: contract, section 6. */
final class TokenReader {

    private static final String OPEN = "${";

    private final Problems problems;

    TokenReader(Problems problems) {
        this.problems = problems;
    }

    /**
     * The token; empty, and a problem, when there is no such one.
     *
     * @param inside what stands between the brackets
     * @param place of the text it stands in
     * @param path what messages call that text
     */
    Optional<Token> token(String inside, Place place, String path) {
        try {
            Optional<Token> token = Token.named(inside);
            if (token.isEmpty()) {
                problem(place, path, inside, "there is no such token", Nearest.hint(inside, Token.known()));
            }
            return token;
        } catch (LiteralException e) {
            problem(place, path, inside, e.getMessage(), "correct the format, or write a token without one");
            return Optional.empty();
        }
    }

    private void problem(Place place, String path, String inside, String what, String remedy) {
        problems.add(Code.BAD_TOKEN, place, path + ": " + OPEN + inside + "}: " + what, remedy);
    }

    /**
     * The text of a template call, in which nothing but tokens is ever expanded.
     *
     * @param path what messages call it
     */
    Value text(Value.Scalar scalar, String path) {
        String text = scalar.text();
        List<TokenText.Part> parts = new ArrayList<>();
        boolean known = true;
        int copied = 0;
        for (int open = text.indexOf(OPEN); open >= 0; open = text.indexOf(OPEN, open + 1)) {
            int end = text.indexOf('}', open);
            if (end >= 0 && Token.isReserved(text.substring(open + OPEN.length(), end))) {
                parts.add(new TokenText.Plain(text.substring(copied, open)));
                Optional<Token> token = token(text.substring(open + OPEN.length(), end), scalar.place(), path);
                token.ifPresent(parts::add);
                known &= token.isPresent();
                copied = end + 1;
            }
        }
        parts.add(new TokenText.Plain(text.substring(copied)));
        return known ? new Value.Tokens(scalar.place(), new TokenText(parts)) : new Value.Unset(scalar.place());
    }
}
