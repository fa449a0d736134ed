package dev.weir.project;

import dev.weir.fault.Code;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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
    private static final int LONGEST_NAME = 200;

    static WeirFile read(Value.Mapping root, Problems problems) {
        Fields fields = new Fields(root, "", Grammar.WEIR, problems);
        Optional<String> name = fields.scalar("name")
                .map(Keyed::value)
                .filter(scalar -> isName(scalar, problems))
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
                fields.spelled("memory").flatMap(keyed -> memory(keyed.value(), problems)),
                fields.scalar("spill").flatMap(keyed -> spill(keyed.value(), problems)),
                fields.count("threads"),
                fields.mapping("retention")
                        .map(keyed -> retention(keyed.value(), problems))
                        .orElse(Retention.DEFAULT),
                backfill);
        fields.notYet(LATER);
        fields.refuseOthers(Code.UNKNOWN_KEY);
        return new WeirFile(name, vars, secrets, settings);
    }

    private static boolean isName(Value.Scalar scalar, Problems problems) {
        boolean right = !scalar.text().isBlank()
                && scalar.text().length() <= LONGEST_NAME
                && scalar.text().chars().noneMatch(Character::isISOControl);
        if (!right) {
            problems.add(
                    Code.BAD_VALUE, scalar.place(), "name is no name for a project", "use some letters on one line");
        }
        return right;
    }

    private static Optional<Memory> memory(Value.Scalar scalar, Problems problems) {
        Optional<Memory> memory = Memory.parse(scalar.text());
        if (memory.isEmpty()) {
            problems.add(
                    Code.BAD_VALUE,
                    scalar.place(),
                    "memory is " + scalar.text() + ", and Java and DuckDB need " + Memory.LEAST.bytes() / 1_000_000
                            + "MB together to work at all",
                    "write memory: " + Memory.LEAST.bytes() / 1_000_000 + "MB or more, but no more than there is");
        }
        return memory;
    }

    private static Optional<Path> spill(Value.Scalar scalar, Problems problems) {
        try {
            if (!scalar.text().isBlank()) {
                return Optional.of(Path.of(scalar.text()));
            }
        } catch (InvalidPathException e) {
            // Told like one that is blank.
        }
        problems.add(Code.BAD_VALUE, scalar.place(), "spill is no folder", "write the path of one on a local disk");
        return Optional.empty();
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

    private static Retention retention(Value.Mapping mapping, Problems problems) {
        Fields keys = new Fields(mapping, "retention", Grammar.RETENTION, problems);
        Retention retention = new Retention(
                keys.count("runs").orElse(Retention.DEFAULT.runs()),
                keys.count("days").orElse(Retention.DEFAULT.days()));
        keys.refuseOthers(Code.UNKNOWN_KEY);
        return retention;
    }
}
