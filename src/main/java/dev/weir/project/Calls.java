package dev.weir.project;

import dev.weir.fault.Code;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Gives parsed calls their meaning, and {@code var} and {@code env} their values. */
final class Calls {

    private static final List<String> KNOWN =
            List.of("source", "sink", "ref", "watermark", "var", "env", "run_id", "run_started_at");

    private final Vars vars;
    private final Variables variables;
    private final Problems problems;
    private final EntityReader entities;
    private final Set<String> usedVars = new HashSet<>();

    Calls(Vars vars, Variables variables, Problems problems) {
        this.vars = vars;
        this.variables = variables;
        this.problems = problems;
        this.entities = new EntityReader(problems, Code.UNKNOWN_OPTION);
    }

    /** The names any {@code var()} asked for. */
    Set<String> usedVars() {
        return usedVars;
    }

    Call read(CallReader.Parsed parsed) {
        Place place = parsed.name().place();
        String name = parsed.name().text();
        return switch (name) {
            case "source" ->
                entityCall(parsed)
                        .<Call>map(texts -> new Call.Source(
                                place, texts.get(0), texts.get(1), entities.read(withTokens(parsed.named()), "source")))
                        .orElse(new Call.Unreadable(place));
            case "sink" ->
                entityCall(parsed)
                        .<Call>map(texts -> new Call.Sink(
                                place, texts.get(0), texts.get(1), entities.write(parsed.named(), "sink")))
                        .orElse(new Call.Unreadable(place));
            case "watermark" -> watermark(parsed);
            case "var" ->
                noNamed(parsed, 1, "var('name')")
                        .map(texts -> var(texts.get(0)))
                        .orElse(new Call.Unreadable(place));
            case "env" ->
                noNamed(parsed, 1, "env('NAME')")
                        .map(texts -> env(texts.get(0)))
                        .orElse(new Call.Unreadable(place));
            case "run_id" ->
                noNamed(parsed, 0, "run_id")
                        .<Call>map(none -> new Call.RunId(place))
                        .orElse(new Call.Unreadable(place));
            case "run_started_at" ->
                noNamed(parsed, 0, "run_started_at")
                        .<Call>map(none -> new Call.RunStartedAt(place))
                        .orElse(new Call.Unreadable(place));
            case "ref" ->
                noNamed(parsed, 1, "ref('pipeline')")
                        .<Call>map(texts -> new Call.Ref(place, texts.get(0)))
                        .orElse(new Call.Unreadable(place));
            default -> {
                problems.add(Code.BAD_TEMPLATE, place, "'" + name + "' is no call", Nearest.hint(name, KNOWN));
                yield new Call.Unreadable(place);
            }
        };
    }

    private Optional<List<Value.Scalar>> entityCall(CallReader.Parsed parsed) {
        String name = parsed.name().text();
        return texts(parsed, 2, name + "('connection', 'entity')");
    }

    /** In a call no variable is expanded, and a query has its tokens all the same. */
    private Value.Mapping withTokens(Value.Mapping options) {
        TokenReader tokens = new TokenReader(problems);
        return new Value.Mapping(
                options.place(),
                options.entries().stream()
                        .map(entry -> entry.key().text().equals("query")
                                        && entry.value() instanceof Value.Scalar scalar
                                        && !scalar.isAbsent()
                                ? new Value.Entry(entry.key(), tokens.text(scalar, "source.query"))
                                : entry)
                        .toList());
    }

    private Call watermark(CallReader.Parsed parsed) {
        Fields fields = new Fields(parsed.named(), "watermark", Grammar.WATERMARK, problems);
        Optional<Keyed<Value.Scalar>> cursor = fields.scalar("cursor");
        fields.refuseOthers(Code.UNKNOWN_OPTION);
        return entityCall(parsed)
                .<Call>map(texts -> new Call.Watermark(parsed.name().place(), texts.get(0), texts.get(1), cursor))
                .orElse(new Call.Unreadable(parsed.name().place()));
    }

    private Call var(Value.Scalar name) {
        usedVars.add(name.text());
        Optional<Value> value = vars.get(name.text());
        if (value.isEmpty()) {
            problems.add(
                    Code.UNSET_VARIABLE,
                    name.place(),
                    "the variable '" + name.text() + "' has no value",
                    "give it one under 'vars:' in weir.yml, or with --var " + name.text() + "=…; "
                            + Nearest.hint(name.text(), vars.names()));
        }
        return value.filter(Value.Scalar.class::isInstance)
                .<Call>map(scalar -> new Call.Literal(name.place(), SqlLiterals.of((Value.Scalar) scalar)))
                .orElse(new Call.Unreadable(name.place()));
    }

    private Call env(Value.Scalar name) {
        Optional<String> value = variables.get(name.text());
        if (value.isEmpty()) {
            problems.add(
                    Code.UNSET_VARIABLE,
                    name.place(),
                    "the variable " + name.text() + " is not set",
                    "set it in the environment or in .env");
        }
        return value.<Call>map(text -> new Call.Literal(name.place(), SqlLiterals.string(text)))
                .orElse(new Call.Unreadable(name.place()));
    }

    private Optional<List<Value.Scalar>> noNamed(CallReader.Parsed parsed, int count, String usage) {
        for (Value.Entry entry : parsed.named().entries()) {
            problems.add(
                    Code.UNKNOWN_OPTION,
                    entry.key().place(),
                    parsed.name().text() + " takes no '" + entry.key().text() + "'",
                    "write {{ " + usage + " }}");
        }
        return texts(parsed, count, usage);
    }

    private Optional<List<Value.Scalar>> texts(CallReader.Parsed parsed, int count, String usage) {
        List<Value.Scalar> texts = new ArrayList<>();
        for (Value value : parsed.positional()) {
            if (value instanceof Value.Scalar scalar && scalar.quoted()) {
                texts.add(scalar);
            }
        }
        if (texts.size() == count && parsed.positional().size() == count && parsed.hasArguments() == count > 0) {
            return Optional.of(texts);
        }
        problems.add(
                Code.BAD_TEMPLATE,
                parsed.name().place(),
                parsed.name().text()
                        + (count == 0
                                ? " takes no arguments"
                                : " takes " + count + " text" + (count == 1 ? "" : "s") + " in quotes"),
                "write {{ " + usage + " }}");
        return Optional.empty();
    }
}
