package dev.weir.project;

import dev.weir.fault.Code;
import dev.weir.slicing.Token;
import dev.weir.slicing.TokenText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Expands {@code ${VAR}}, {@code ${VAR:-default}} and {@code $$} in the scalars of a file, exactly once, and reads the
 * tokens {@code ${backfill.…}} and {@code ${now.…}}, whose values only a run knows.
 *
 * <p>What a variable holds is never looked at again, whatever it is, and is text in any case. A default is plain text up
 * to the first {@code }}, used when the variable is not set or empty. A {@code $} before anything else is itself. Keys are
 * not expanded. Problems name the variable and the key, never a value. Source of the rule: contract, section 2.1.
 */
final class Expansion {

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final Variables variables;
    private final Problems problems;
    private final TokenReader tokens;

    Expansion(Variables variables, Problems problems) {
        this.variables = variables;
        this.problems = problems;
        this.tokens = new TokenReader(problems);
    }

    Value.Mapping expand(Value.Mapping mapping) {
        return (Value.Mapping) expand(mapping, "");
    }

    private Value expand(Value value, String path) {
        if (value instanceof Value.Scalar scalar) {
            return scalar(scalar, path);
        }
        if (value instanceof Value.Sequence sequence) {
            List<Value> items = new ArrayList<>();
            for (Value item : sequence.items()) {
                items.add(expand(item, path + "[" + items.size() + "]"));
            }
            return new Value.Sequence(sequence.place(), items);
        }
        if (value instanceof Value.Mapping mapping) {
            List<Value.Entry> entries = new ArrayList<>();
            for (Value.Entry entry : mapping.entries()) {
                String below = (path.isEmpty() ? "" : path + ".") + entry.key().text();
                entries.add(new Value.Entry(entry.key(), expand(entry.value(), below)));
            }
            return new Value.Mapping(mapping.place(), entries);
        }
        return value;
    }

    private Value scalar(Value.Scalar scalar, String path) {
        String text = scalar.text();
        List<TokenText.Part> parts = new ArrayList<>();
        StringBuilder out = new StringBuilder();
        boolean expanded = false;
        boolean known = true;
        int at = 0;
        for (int dollar = text.indexOf('$'); dollar >= 0; dollar = text.indexOf('$', at)) {
            out.append(text, at, dollar);
            if (text.startsWith("${", dollar)) {
                int end = text.indexOf('}', dollar);
                if (end < 0) {
                    problem(
                            Code.BAD_VALUE,
                            scalar,
                            path,
                            "a '${' is not closed",
                            "close it with '}'; write '$$' for a '$'");
                    return new Value.Unset(scalar.place());
                }
                String inside = text.substring(dollar + 2, end);
                if (Token.isReserved(inside)) {
                    Optional<Token> token = tokens.token(inside, scalar.place(), path);
                    known &= token.isPresent();
                    parts.add(new TokenText.Plain(out.toString()));
                    token.ifPresent(parts::add);
                    out.setLength(0);
                } else {
                    Optional<String> value = variable(inside, scalar, path);
                    known &= value.isPresent();
                    out.append(value.orElse(""));
                    expanded = true;
                }
                at = end + 1;
            } else {
                out.append('$');
                at = dollar + (text.startsWith("$$", dollar) ? 2 : 1);
            }
        }
        out.append(text, at, text.length());
        if (!known) {
            return new Value.Unset(scalar.place());
        }
        if (parts.isEmpty()) {
            return new Value.Scalar(scalar.place(), out.toString(), scalar.quoted() || expanded);
        }
        parts.add(new TokenText.Plain(out.toString()));
        return new Value.Tokens(scalar.place(), new TokenText(parts));
    }

    private Optional<String> variable(String inside, Value.Scalar scalar, String path) {
        int split = inside.indexOf(":-");
        String name = split < 0 ? inside : inside.substring(0, split);
        if (!NAME.matcher(name).matches() || (split >= 0 && inside.indexOf("${", split) >= 0)) {
            problem(
                    Code.BAD_VALUE,
                    scalar,
                    path,
                    "a '${…}' that names no variable, or whose default holds another one",
                    "write ${NAME} or ${NAME:-default}, the name of letters, digits and _; write '$$' for a '$'");
            return Optional.empty();
        }
        if (split >= 0) {
            return Optional.of(variables.get(name, inside.substring(split + 2)));
        }
        Optional<String> value = variables.get(name);
        if (value.isEmpty()) {
            problem(
                    Code.UNSET_VARIABLE,
                    scalar,
                    path,
                    "the variable " + name + " is not set",
                    "set it in the environment or in .env, or give a default: ${" + name + ":-…}");
        }
        return value;
    }

    private void problem(Code code, Value.Scalar scalar, String path, String what, String remedy) {
        problems.add(code, scalar.place(), path + ": " + what, remedy);
    }
}
