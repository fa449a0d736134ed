package dev.weir.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir schema}: what files and tables look like. */
@Command(
        name = "schema",
        scope = CommandLine.ScopeType.INHERIT,
        synopsisSubcommandLabel = "COMMAND",
        description = "Tells what files, tables and their columns look like.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is shown",
            "1:diff: the next run would be refused",
            "2:the project or the command line is wrong"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir schema diff --all            what the next run would find changed",
            "  weir schema types                 what each type becomes",
            "  weir schema print connections     the JSON Schema of connections.yml, for editors",
            "  weir help schema diff             what is compared"
        })
final class SchemaCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    static CommandLine commandLine(Console console) {
        return new CommandLine(new SchemaCommand())
                .addSubcommand(new SchemaDiffCommand(console))
                .addSubcommand(new SchemaPrintCommand(console))
                .addSubcommand(new SchemaTypesCommand(console));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "one of diff, print, types is missing");
    }
}
