package dev.weir.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code weir}: says what commands there are. */
@Command(
        name = "weir",
        versionProvider = WeirCommand.Version.class,
        mixinStandardHelpOptions = true,
        scope = CommandLine.ScopeType.INHERIT,
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        description = {
            "Moves rows from operational databases into a warehouse or lake, in bounded slices, so that nothing is lost"
                    + " and nothing is doubled."
        },
        footerHeading = "%nFirst steps:%n",
        footer = {
            "  weir demo               a small project on embedded databases, loaded",
            "  weir init my-project    a commented project of your own to start from",
            "  weir help run           how to load it"
        })
final class WeirCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    /** Without a command there is nothing to do but to say which there are. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return Weir.USAGE;
    }

    /** The version the build wrote into the jar. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = WeirCommand.class.getPackage().getImplementationVersion();
            return new String[] {"weir " + (version == null ? "(not packaged)" : version)};
        }
    }
}
