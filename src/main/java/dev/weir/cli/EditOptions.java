package dev.weir.cli;

import dev.weir.fault.Code;
import dev.weir.fault.UsageException;
import java.util.Locale;
import java.util.Scanner;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What every edit of positions takes: a project, a reason, or a terminal to confirm at. */
final class EditOptions {

    @Mixin
    private ProjectOptions project;

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description = "Why, for the audit. Without it the edit is confirmed at the terminal.")
    private String reason;

    ProjectOptions project() {
        return project;
    }

    /**
     * The reason, or the words that stand for a confirmation at the terminal.
     *
     * @param what what is about to be done, as a question without its mark
     * @throws UsageException when there is neither
     */
    String reason(Console console, String what) {
        if (reason != null && !reason.isBlank()) {
            return reason;
        }
        if (System.console() == null) {
            throw new UsageException(
                    Code.BAD_VALUE,
                    "--reason",
                    "an edit needs a reason, and there is no terminal to confirm it at",
                    "say why: --reason \"…\"");
        }
        console.out().print(what + "? Type yes: ");
        console.out().flush();
        Scanner answers = new Scanner(System.in, java.nio.charset.StandardCharsets.UTF_8);
        if (answers.hasNextLine()
                && answers.nextLine().strip().toLowerCase(Locale.ROOT).equals("yes")) {
            return "confirmed at the terminal";
        }
        throw new UsageException(Code.BAD_VALUE, "terminal", "not confirmed", "nothing was changed");
    }

    static String who() {
        return System.getProperty("user.name", "unknown");
    }
}
