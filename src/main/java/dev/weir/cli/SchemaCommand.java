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
        description = "Shows what columns become on their way, and where tables have come to differ.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is shown",
            "1:diff: the next run would be refused",
            "2:the project or the command line is wrong"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir schema diff --all      what the next run would find changed",
            "  weir schema types           what each type becomes",
            "  weir help schema types      how to ask"
        })
final class SchemaCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    static CommandLine commandLine(Console console) {
        return new CommandLine(new SchemaCommand())
                .addSubcommand(new SchemaDiffCommand(console))
                .addSubcommand(new SchemaTypesCommand(console));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "one of diff, types is missing");
    }
}
