package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.run.Faults;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The page of the command line tells of each command and each of its options, and of no other. */
class CliPageTest {

    /** What the page's beginning tells once for all commands. */
    private static final Set<String> COMMON = Set.of("--help", "--version", "--project", "--var");

    private final String page;

    CliPageTest() throws IOException {
        page = Files.readString(Path.of("docs/cli.md"));
    }

    static Stream<Arguments> commands() {
        return all().stream().map(command -> Arguments.of(name(command), command));
    }

    private static List<CommandLine> all() {
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
        Console console = new Console(nowhere, nowhere, Map.of(), Path.of("."), Clock.systemUTC(), Faults.NONE);
        return List.copyOf(Weir.commandLine(console).getSubcommands().values());
    }

    private static Stream<CommandLine> withThoseBelow(CommandLine command) {
        return Stream.concat(
                Stream.of(command), command.getSubcommands().values().stream().flatMap(CliPageTest::withThoseBelow));
    }

    private static String name(CommandLine command) {
        return command.getCommandSpec().qualifiedName(" ");
    }

    private String section(String heading) {
        int start = page.indexOf("\n## " + heading + "\n");
        assertThat(start).as("a section '## %s'", heading).isNotNegative();
        int end = page.indexOf("\n## ", start + 1);
        return page.substring(start, end < 0 ? page.length() : end);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("commands")
    void everyCommandHasASectionThatNamesItsOptions(String name, CommandLine command) {
        String section = section(name);
        withThoseBelow(command).forEach(each -> {
            assertThat(section).contains(name(each));
            assertThat(each.getCommandSpec().options().stream()
                            .map(CommandLine.Model.OptionSpec::longestName)
                            .filter(option -> !COMMON.contains(option)))
                    .allSatisfy(option -> assertThat(section).contains(option));
        });
    }

    @Test
    void theBeginningNamesTheOptionsOfAllCommands() {
        assertThat(page.substring(0, page.indexOf("\n## "))).contains(COMMON);
    }

    @Test
    void noSectionIsOfACommandThatDoesNotExist() {
        List<String> known = all().stream().map(CliPageTest::name).toList();
        assertThat(Arrays.stream(page.split("\n"))
                        .filter(line -> line.startsWith("## weir "))
                        .map(line -> line.substring("## ".length())))
                .containsExactlyInAnyOrderElementsOf(known);
    }
}
