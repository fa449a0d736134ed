package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.weir.run.Faults;
import dev.weir.testing.WeirProject;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The help of every command teaches: what it is for, its options, and commands that can be typed as they stand. */
class HelpTest {

    private static final int NARROWEST = 80;
    private static final Pattern WORD = Pattern.compile("'([^']*)'|([^\\s']+)");

    @TempDir
    Path folder;

    private static CommandLine weir() {
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
        return Weir.commandLine(new Console(nowhere, nowhere, Map.of(), Path.of("."), Clock.systemUTC(), Faults.NONE));
    }

    /** Every command's words, {@code state set}; without weir itself. */
    static List<String> commands() {
        return below(weir(), "").toList();
    }

    private static Stream<String> below(CommandLine command, String path) {
        return command.getSubcommands().entrySet().stream().flatMap(entry -> {
            String name = (path + " " + entry.getKey()).strip();
            return Stream.concat(Stream.of(name), below(entry.getValue(), name));
        });
    }

    private static CommandLine find(String path) {
        CommandLine command = weir();
        for (String name : path.split(" ")) {
            command = command.getSubcommands().get(name);
        }
        return command;
    }

    /** Whole lines: one that ends in a backslash goes on in the next. What stands behind two blanks explains it. */
    private static List<String> examples(CommandLine command) {
        String footer =
                String.join("\n", command.getCommandSpec().usageMessage().footer());
        return Arrays.stream(footer.replaceAll("\\\\\\n *", "").split("\n"))
                .filter(line -> line.startsWith("  weir"))
                .map(line -> line.strip().split(" {2,}")[0])
                .toList();
    }

    private WeirProject.Said run(String command) {
        return new WeirProject(folder).run(command.split(" "));
    }

    @ParameterizedTest(name = "weir {0}")
    @MethodSource("commands")
    void isPrintedForEachCommandInLinesThatFitTheNarrowestTerminal(String command) {
        WeirProject.Said said = run(command + " --help");
        assertThat(said.exitCode()).isZero();
        assertThat(said.err()).isEmpty();
        assertThat(said.out()).startsWith("Usage: weir " + command + " ").contains("--help");
        assertThat(said.out().lines()).allMatch(line -> line.length() <= NARROWEST);
        // A name with a dot is not to be torn apart at it.
        assertThat(said.out()).doesNotContainPattern("\\w\\.\\R {20,}\\p{Lower}");
        assertThat(run("help " + command)).isEqualTo(said);
        assertThat(folder).isEmptyDirectory();
    }

    @ParameterizedTest(name = "weir {0}")
    @MethodSource("commands")
    void beginsWithOneSentenceThatIsCompleteInTheListOfCommands(String command) {
        String first = find(command).getCommandSpec().usageMessage().description()[0];
        assertThat(first).matches("[A-Z].*\\.").doesNotContain("%n");
        assertThat(first.length()).isLessThanOrEqualTo(NARROWEST);
    }

    @ParameterizedTest(name = "weir {0}")
    @MethodSource("commands")
    void showsExamplesThatCanBeTyped(String command) {
        List<String> examples = examples(find(command));
        if (command.equals("generate-completion")) {
            assertThat(run(command + " --help").out()).contains("source <(weir generate-completion)");
            return;
        }
        assertThat(examples).hasSizeBetween(1, 6);
        assertThat(examples).anyMatch(example -> (example + " ").startsWith("weir " + command + " "));
        examples.forEach(HelpTest::parses);
    }

    private static void parses(String example) {
        List<String> words = new ArrayList<>();
        WORD.matcher(example.substring("weir".length()))
                .results()
                .forEach(word -> words.add(word.group(1) == null ? word.group(2) : word.group(1)));
        assertThatCode(() -> weir().parseArgs(words.toArray(String[]::new)))
                .as(example)
                .doesNotThrowAnyException();
    }

    @ParameterizedTest(name = "weir {0}")
    @MethodSource("commands")
    void doesNotRepeatTheFirstStepsOfWeir(String command) {
        assertThat(run(command + " --help").out()).doesNotContain("First steps");
    }

    @Test
    void ofWeirListsEveryCommandAndTheFirstSteps() {
        WeirProject.Said said = run("--help");
        assertThat(said.exitCode()).isZero();
        assertThat(said.out())
                .contains("First steps")
                .contains(weir().getSubcommands().keySet());
        assertThat(said.out().lines()).allMatch(line -> line.length() <= NARROWEST);
        assertThat(examples(weir())).isNotEmpty().allSatisfy(HelpTest::parses);
        assertThat(run("help")).isEqualTo(said);
    }

    @Test
    void isWhatWeirAloneSaysAsAnError() {
        WeirProject.Said said = new WeirProject(folder).run();
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.out()).isEmpty();
        assertThat(said.err()).isEqualTo(run("--help").out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "-V"})
    void theVersionIsOneLine(String option) {
        assertThat(run(option).out()).matches("weir .+\\R");
    }

    @Test
    void aWideTerminalIsUsedUpToWhatCanBeRead() {
        CommandLine weir = weir();
        CommandLine run = weir.getSubcommands().get("run");
        run.getCommandSpec().usageMessage().autoWidth(false).width(300);
        assertThat(run.getUsageMessage().lines().mapToInt(String::length).max().orElseThrow())
                .isBetween(NARROWEST + 1, 120);
    }
}
