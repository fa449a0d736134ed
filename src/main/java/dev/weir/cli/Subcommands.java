package dev.weir.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Commands below a command that does something itself. */
final class Subcommands {

    private Subcommands() {}

    /**
     * Refuses what was given before the name of the command: it would be the upper command's, and silently without
     * effect.
     *
     * @param example the command as it should be written
     */
    static void refuseAnythingBefore(CommandSpec spec, String example) {
        CommandSpec upper = spec.parent();
        ParseResult given = upper.commandLine().getParseResult();
        if (!given.matchedOptions().isEmpty() || !given.matchedPositionals().isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "options of '" + upper.name() + " " + spec.name() + "' follow its name: " + example);
        }
    }
}
