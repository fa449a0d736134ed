package dev.weir.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir schema}: what types columns have. */
@Command(
        name = "schema",
        scope = CommandLine.ScopeType.INHERIT,
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows which types columns have on their way.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:it is shown", "2:the command line is wrong"},
        footerHeading = "%nExamples:%n",
        footer = {"  weir schema types           what each type becomes", "  weir help schema types      how to ask"})
final class SchemaCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    static CommandLine commandLine(Console console) {
        return new CommandLine(new SchemaCommand()).addSubcommand(new SchemaTypesCommand(console));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "types is missing");
    }
}
