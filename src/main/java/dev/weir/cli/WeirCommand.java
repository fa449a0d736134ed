package dev.weir.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir}: says what commands there are. */
@Command(
        name = "weir",
        versionProvider = WeirCommand.Version.class,
        mixinStandardHelpOptions = true,
        scope = CommandLine.ScopeType.INHERIT,
        synopsisSubcommandLabel = "COMMAND",
        description = {
            "Moves rows from operational databases into a warehouse or lake, in bounded slices,",
            "so that nothing is lost and nothing is doubled."
        },
        footerHeading = "%nFirst steps:%n",
        footer = {
            "  weir demo           a small project on embedded databases, loaded in one go",
            "  weir run --help     how to load your own"
        })
final class WeirCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
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
