package dev.weir.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir state}: shows positions and moves them by hand. */
@Command(
        name = "state",
        scope = CommandLine.ScopeType.INHERIT,
        synopsisSubcommandLabel = "COMMAND",
        description = {
            "Shows up to where each entity is loaded, and moves that by hand.",
            "KEY is connection.entity, as in pg_prod.orders. Every edit needs --reason, or is confirmed at the terminal."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is done",
            "1:refused or failed, as while a run holds the entity; nothing was changed",
            "2:the project or the command line is wrong; nothing was changed"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir state show                   all entities",
            "  weir state show pg_prod.orders    one, and how it came there",
            "  weir help state set               how to move it"
        })
final class StateCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    static CommandLine commandLine(Console console) {
        return new CommandLine(new StateCommand())
                .addSubcommand(new StateShowCommand(console))
                .addSubcommand(new StateSetCommand(console))
                .addSubcommand(new StateClearCommand(console))
                .addSubcommand(new StateRollbackCommand(console))
                .addSubcommand(new StateAdoptCommand(console));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "one of show, set, clear, rollback, adopt is missing");
    }
}
