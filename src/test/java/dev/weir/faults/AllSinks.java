package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.faults.Copy.Strategy;
import dev.weir.faults.Copy.System;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One small table copied into each kind of sink by each strategy: nine tables, each with a pipeline of its own. What
 * befalls them befalls all of them at once, so that one run tells of nine.
 */
final class AllSinks {

    /** How far a project is before something happens to it, as its marks say. */
    static final String HALF = "500";

    /** Those that keep positions. */
    private static final List<Strategy> STRATEGIES = List.of(Strategy.MERGE, Strategy.APPEND, Strategy.WINDOW);

    private static final Pattern COMMAND = Pattern.compile("weir ((?:state (?:clear|set|adopt)|run) [^;(\\n]+)");

    final Copy copy;
    final Postgres.Database source = Postgres.fresh();
    Postgres.Database warehouse = Postgres.fresh();

    /** One of the nine. */
    record Table(System system, Strategy strategy) {
        String name() {
            return (strategy + "_" + system).toLowerCase(Locale.ROOT);
        }
    }

    AllSinks(Path folder) {
        Copy.fill(source, "t");
        copy = Copy.of(source, "t", folder, warehouse, "max_window: 500");
        tables().forEach(table -> copy.into(table.system(), table.name(), table.strategy()));
    }

    /** The first of three slices is loaded; the second will hold no rows. */
    static AllSinks half(Path folder) {
        AllSinks all = new AllSinks(folder);
        all.copy.succeeds("run", "--all");
        return all;
    }

    static Stream<Table> tables() {
        return Arrays.stream(System.values())
                .flatMap(system -> STRATEGIES.stream().map(strategy -> new Table(system, strategy)));
    }

    static Stream<Table> tables(System system) {
        return tables().filter(table -> table.system() == system);
    }

    String id(Table table) {
        return copy.sinkId(table.system(), table.name());
    }

    /** The loop fails as a whole, and says so. */
    WeirProject.Said fails() {
        WeirProject.Said said = copy.project().run(Copy.RUN);
        assertThat(said.exitCode()).as(said.all()).isEqualTo(1);
        assertThat(said.all()).doesNotContain("\tat ").doesNotContain("Exception");
        return said;
    }

    /** Every row of every table, to see that nothing is touched. */
    List<String> rows() {
        List<String> rows = new ArrayList<>();
        tables().forEach(table -> {
            rows.add(table.name() + " " + copy.mark(table.system(), table.name()));
            rows.addAll(copy.sinkRows(table.system(), table.name()));
        });
        return rows;
    }

    /** Row for row what the source holds, no more and no less, in each of the nine. */
    void isExact() {
        for (System system : System.values()) {
            copy.isExact(system, tables(system).map(Table::name).toArray(String[]::new));
        }
    }

    /** The commands that a message prints to put things right, without the program's name; reasons are filled in. */
    static List<String[]> commands(String said) {
        List<String[]> commands = new ArrayList<>();
        Matcher printed = COMMAND.matcher(said);
        while (printed.find()) {
            String[] words = printed.group(1).replace(", or", "").strip().split(" +");
            commands.add(Arrays.stream(words)
                    .map(word -> word.equals("…") ? "as the message says" : word)
                    .toArray(String[]::new));
        }
        return commands;
    }
}
