package dev.weir.project;

import dev.weir.fault.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The content of weir.yml.
 *
 * @param name the project's name; empty: the folder's
 * @param vars the variables of pipelines
 * @param secrets the names of variables whose values are shown nowhere
 */
record WeirFile(Optional<String> name, List<Value.Entry> vars, List<String> secrets, Settings settings) {

    static final WeirFile NONE = new WeirFile(Optional.empty(), List.of(), List.of(), Settings.NONE);

    private static final Set<String> LATER = Set.of("state");
    private static final Pattern MEMORY = Pattern.compile("[0-9]{1,9}(?:\\.[0-9]{1,3})?\\s*(?:[KMGT]i?B)");
    private static final Pattern THREADS = Pattern.compile("0*[1-9][0-9]{0,3}");
    private static final Pattern COUNT = Pattern.compile("0*[1-9][0-9]{0,5}");
    private static final int LONGEST_NAME = 200;

    static WeirFile read(Value.Mapping root, Problems problems) {
        Fields fields = new Fields(root, "", problems);
        Optional<String> name = fields.scalar("name")
                .map(Keyed::value)
                .filter(scalar -> check(
                        !scalar.text().isBlank()
                                && scalar.text().length() <= LONGEST_NAME
                                && scalar.text().chars().noneMatch(Character::isISOControl),
                        scalar,
                        "name is no name for a project",
                        "use some letters on one line",
                        problems))
                .map(Value.Scalar::text);
        List<Value.Entry> vars = fields.mapping("vars")
                .map(keyed -> vars(keyed.value(), problems))
                .orElse(List.of());
        List<String> secrets = fields.entry("secrets")
                .filter(entry -> !(entry.value() instanceof Value.Scalar scalar && scalar.isAbsent()))
                .flatMap(entry -> fields.scalars("secrets"))
                .map(keyed -> keyed.value().stream().map(Value.Scalar::text).toList())
                .orElse(List.of());
        BackfillDefaults backfill = fields.mapping("backfill")
                .map(keyed -> new BackfillReader(keyed.value(), problems).read())
                .orElse(BackfillDefaults.NONE);
        Settings settings = new Settings(
                memory(fields, problems), threads(fields, problems), retention(fields, problems), backfill);
        fields.notYet(LATER);
        fields.refuseOthers(Code.UNKNOWN_KEY);
        return new WeirFile(name, vars, secrets, settings);
    }

    private static List<Value.Entry> vars(Value.Mapping mapping, Problems problems) {
        List<Value.Entry> vars = new ArrayList<>();
        for (Value.Entry entry : mapping.entries()) {
            String path = "vars." + entry.key().text();
            Optional<Value.Scalar> value = Fields.scalar(entry.value(), path, problems);
            vars.add(new Value.Entry(
                    entry.key(),
                    value.<Value>map(scalar -> scalar)
                            .orElse(new Value.Unset(entry.value().place()))));
        }
        return vars;
    }

    private static Optional<String> memory(Fields fields, Problems problems) {
        return fields.scalar("memory")
                .map(Keyed::value)
                .filter(scalar -> check(
                        MEMORY.matcher(scalar.text()).matches() && scalar.text().matches(".*[1-9].*"),
                        scalar,
                        "memory is '" + scalar.text() + "'",
                        "write a number and KB, MB, GB or TB, as in 512MB",
                        problems))
                .map(Value.Scalar::text);
    }

    private static OptionalInt threads(Fields fields, Problems problems) {
        return fields.scalar("threads")
                .map(Keyed::value)
                .filter(scalar -> check(
                        THREADS.matcher(scalar.text()).matches(),
                        scalar,
                        "threads is '" + scalar.text() + "'",
                        "write a whole number from 1 to 9999",
                        problems))
                .map(scalar -> OptionalInt.of(Integer.parseInt(scalar.text())))
                .orElse(OptionalInt.empty());
    }

    private static Retention retention(Fields fields, Problems problems) {
        return fields.mapping("retention")
                .map(keyed -> {
                    Fields keys = new Fields(keyed.value(), "retention", problems);
                    Retention retention = new Retention(
                            count(keys, "runs", problems).orElse(Retention.DEFAULT.runs()),
                            count(keys, "days", problems).orElse(Retention.DEFAULT.days()));
                    keys.refuseOthers(Code.UNKNOWN_KEY);
                    return retention;
                })
                .orElse(Retention.DEFAULT);
    }

    private static OptionalInt count(Fields fields, String key, Problems problems) {
        return fields.scalar(key)
                .map(Keyed::value)
                .filter(scalar -> check(
                        COUNT.matcher(scalar.text()).matches(),
                        scalar,
                        "retention." + key + " is '" + scalar.text() + "'",
                        "write a whole number from 1 to 999999",
                        problems))
                .map(scalar -> OptionalInt.of(Integer.parseInt(scalar.text())))
                .orElse(OptionalInt.empty());
    }

    private static boolean check(boolean right, Value.Scalar scalar, String what, String remedy, Problems problems) {
        if (!right) {
            problems.add(Code.BAD_VALUE, scalar.place(), what, remedy);
        }
        return right;
    }
}
