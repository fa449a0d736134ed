package dev.weir.cli;

import dev.weir.project.Nearest;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir help}: for those who ask before the command's name. */
@Command(
        name = "help",
        helpCommand = true,
        description = "Explains a command, as COMMAND --help does.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir help              all commands",
            "  weir help run          one command",
            "  weir help state set    a command of a command"
        })
final class HelpCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "The command; none: all of them are listed.")
    private List<String> path = new ArrayList<>();

    @Override
    public void run() {
        CommandLine asked = spec.parent().commandLine();
        for (String name : path) {
            CommandLine below = asked.getSubcommands().get(name);
            if (below == null) {
                throw new ParameterException(
                        spec.commandLine(),
                        "'" + name + "' is no command of "
                                + asked.getCommandSpec().qualifiedName(" ") + "; "
                                + Nearest.hint(name, asked.getSubcommands().keySet()));
            }
            asked = below;
        }
        asked.usage(spec.commandLine().getOut());
    }
}
