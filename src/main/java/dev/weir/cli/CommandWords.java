package dev.weir.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** The words of a command line as the history keeps them. */
final class CommandWords {

    private CommandWords() {}

    /** Values of variables may be secrets, so they are left out. */
    static String of(CommandSpec spec) {
        List<String> words = new ArrayList<>();
        List<String> given = spec.commandLine().getParseResult().originalArgs();
        for (int i = 0; i < given.size(); i++) {
            if (given.get(i).equals("--var")) {
                i++;
            } else if (!given.get(i).startsWith("--var=")) {
                words.add(given.get(i));
            }
        }
        return String.join(" ", words);
    }
}
