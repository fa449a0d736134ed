package dev.weir.cli;

import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.fault.StackTrace;
import dev.weir.fault.UsageException;
import dev.weir.run.Faults;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Starts weir. */
public final class Weir {

    private static final int FAILED = 1;
    private static final int WIDEST_HELP = 120;
    static final int USAGE = 2;

    private Weir() {}

    public static void main(String[] args) {
        System.exit(start(args, Faults.NONE));
    }

    /**
     * Runs one command on the process's own streams and environment.
     *
     * @param faults told of the points at which dying must be harmless
     * @return the exit code
     */
    public static int start(String[] args, Faults faults) {
        // Drivers take their zone from the process; results must not depend on where it runs.
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
        // Nor may they depend on the digits a language writes.
        Locale.setDefault(Locale.ROOT);
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        Path here = Path.of("").toAbsolutePath();
        Screen screen = new ProcessScreen(System.getenv());
        return run(new Console(out, err, System.getenv(), here, Clock.systemUTC(), faults, screen), args);
    }

    /** Runs one command. */
    static int run(Console console, String... args) {
        return commandLine(console).execute(args);
    }

    /** Runs one command with the given environment, in the given folder: for tests within one process. */
    public static int run(
            PrintStream out, PrintStream err, Map<String, String> environment, Path directory, String... args) {
        return run(out, err, environment, directory, Clock.systemUTC(), Faults.NONE, args);
    }

    /** The same by another clock, told of the points at which something may happen. */
    public static int run(
            PrintStream out,
            PrintStream err,
            Map<String, String> environment,
            Path directory,
            Clock clock,
            Faults faults,
            String... args) {
        return run(new Console(out, err, environment, directory, clock, faults), args);
    }

    static CommandLine commandLine(Console console) {
        CommandLine weir = new CommandLine(new WeirCommand());
        weir.addSubcommand(new DemoCommand(console));
        weir.addSubcommand(new InitCommand(console));
        weir.addSubcommand(new ValidateCommand(console));
        weir.addSubcommand(new LsCommand(console));
        weir.addSubcommand(new CompileCommand(console));
        weir.addSubcommand(new PlanCommand(console));
        weir.addSubcommand(new PreviewCommand(console));
        weir.addSubcommand(new DoctorCommand(console));
        weir.addSubcommand(new RunCommand(console));
        weir.addSubcommand(BackfillCommand.commandLine(console));
        weir.addSubcommand(new CoverageCommand(console));
        weir.addSubcommand(RunsCommand.commandLine(console));
        weir.addSubcommand(StateCommand.commandLine(console));
        weir.addSubcommand(SchemaCommand.commandLine(console));
        weir.addSubcommand(new HelpCommand());
        weir.addSubcommand(new GenerateCompletionCommand());
        weir.setUsageHelpAutoWidth(true);
        weir.setHelpFactory((spec, colors) -> new CommandLine.Help(readable(spec), colors));
        weir.setCaseInsensitiveEnumValuesAllowed(true);
        weir.setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8));
        weir.setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8));
        weir.setExecutionExceptionHandler((failure, command, result) -> failed(console, failure));
        weir.setParameterExceptionHandler((wrong, args) -> {
            console.err().println("weir: " + console.redactor().redact(wrong.getMessage()));
            CommandLine command = wrong.getCommandLine();
            CommandLine.UnmatchedArgumentException.printSuggestions(wrong, command.getErr());
            console.err().println("Try 'weir " + helpOf(command) + "--help'.");
            return USAGE;
        });
        return weir;
    }

    /** Lines longer than this are hard to read, on however wide a terminal. */
    private static CommandSpec readable(CommandSpec spec) {
        UsageMessageSpec help = spec.usageMessage();
        if (help.width() > WIDEST_HELP) {
            help.autoWidth(false).width(WIDEST_HELP);
        }
        return spec;
    }

    private static String helpOf(CommandLine command) {
        String name = command.getCommandSpec().qualifiedName(" ");
        return name.equals("weir") ? "" : name.substring("weir ".length()) + " ";
    }

    private static int failed(Console console, Exception failure) {
        if (failure instanceof UsageException || failure instanceof RunException) {
            console.err().println(console.redactor().redact(failure.getMessage()));
            return failure instanceof UsageException ? USAGE : FAILED;
        }
        LoggerFactory.getLogger(Weir.class).error("internal error: {}", StackTrace.of(failure, console.redactor()));
        console.err()
                .println(console.redactor()
                        .redact(Code.INTERNAL + " weir: an internal error: " + failure
                                + "\n  nothing was committed by the step that failed; please report it"));
        return FAILED;
    }
}
