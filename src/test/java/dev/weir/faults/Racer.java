package dev.weir.faults;

import dev.weir.testing.WeirProject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.Arrays;

/** Weir as a process that runs one command after the other: each line it is told is a project's folder and a command. */
final class Racer {

    static final String EXIT = "exit ";

    private Racer() {}

    public static void main(String[] arguments) throws IOException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
        String told;
        while ((told = commands.readLine()) != null) {
            String[] words = told.split(" ");
            WeirProject project = new WeirProject(Path.of(words[0]));
            WeirProject.Said said = project.run(Arrays.copyOfRange(words, 1, words.length));
            System.out.print(said.all() + EXIT + said.exitCode() + "\n");
            System.out.flush();
        }
    }
}
