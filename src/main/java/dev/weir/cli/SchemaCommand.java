package dev.weir.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir schema}: what files and tables look like. */
@Command(
        name = "schema",
        synopsisSubcommandLabel = "COMMAND",
        description = "Tells what a project's files look like.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir schema print connections     the JSON Schema of connections.yml, for editors",
            "  weir help schema print            what it is good for"
        })
final class SchemaCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    static CommandLine commandLine(Console console) {
        return new CommandLine(new SchemaCommand()).addSubcommand(new SchemaPrintCommand(console));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "print is missing");
    }
}
