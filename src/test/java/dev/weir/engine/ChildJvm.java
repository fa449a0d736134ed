package dev.weir.engine;

import dev.weir.testing.Jvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;

/** A main class of the tests in a Java process of its own. */
final class ChildJvm {

    private ChildJvm() {}

    static Process start(List<String> options, Class<?> main, String... arguments) throws IOException {
        List<String> command = Jvm.command(options, main);
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    static String line(Process process) throws IOException {
        return new BufferedReader(process.inputReader()).readLine();
    }

    /** All the process says until it ends. */
    static String output(Process process) throws IOException, InterruptedException {
        String output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }
}
