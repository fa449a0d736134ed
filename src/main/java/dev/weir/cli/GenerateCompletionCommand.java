package dev.weir.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code weir generate-completion}. */
@Command(
        name = "generate-completion",
        description = {
            "Prints a script that completes commands and options, for bash and zsh.",
            "Load it where your shell starts: the first line below belongs in ~/.bashrc or ~/.zshrc."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  source <(weir generate-completion)",
            "  weir generate-completion > weir_completion",
        })
final class GenerateCompletionCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        CommandSpec root = spec.root();
        spec.commandLine().getOut().println(AutoComplete.bash(root.name(), root.commandLine()));
        spec.commandLine().getOut().flush();
    }
}
