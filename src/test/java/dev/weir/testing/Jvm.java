package dev.weir.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts Java processes with the classes of the tests, quicker than from the class path as it is. */
public final class Jvm {

    /** For processes that live for a second or two; without it, a JVM as weir's users start it. */
    public static final List<String> SHORT_LIVED = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private Jvm() {}

    private static final class Once {
        static final ClassLayout LAYOUT = ClassLayout.ofThisProcess();
    }

    /** The command line that starts a main class; its arguments are to be appended. */
    public static List<String> command(List<String> options, Class<?> main) {
        List<String> command = new ArrayList<>();
        command.add(java());
        command.addAll(options);
        command.addAll(Once.LAYOUT.options());
        command.add(main.getName());
        return command;
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }
}
