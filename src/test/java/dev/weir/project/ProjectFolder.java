package dev.weir.project;

import dev.weir.fault.Fault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A project written for one test. */
public final class ProjectFolder {

    private final Path dir;
    private final Map<String, String> environment = new HashMap<>();
    private final Map<String, String> vars = new HashMap<>();
    private final Problems problems = new Problems();

    private ProjectFolder(Path dir) {
        this.dir = dir;
    }

    public static ProjectFolder in(Path dir) {
        return new ProjectFolder(dir);
    }

    /** Writes files given as one text, each after a line {@code === name}. */
    public static ProjectFolder of(Path dir, String files) {
        ProjectFolder folder = new ProjectFolder(dir);
        for (String file : files.split("(?m)^=== ")) {
            if (!file.isBlank()) {
                int line = file.indexOf('\n');
                folder.file(file.substring(0, line).strip(), file.substring(line + 1));
            }
        }
        return folder;
    }

    public ProjectFolder file(String name, String text) {
        return file(name, text.getBytes(StandardCharsets.UTF_8));
    }

    public ProjectFolder file(String name, byte[] bytes) {
        try {
            Path path = dir.resolve(name);
            Files.createDirectories(path.getParent());
            Files.write(path, bytes);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public ProjectFolder environment(String name, String value) {
        environment.put(name, value);
        return this;
    }

    public ProjectFolder var(String name, String value) {
        vars.put(name, value);
        return this;
    }

    public Project load() {
        return ProjectLoader.load(dir, environment, vars, problems);
    }

    public Problems problems() {
        return problems;
    }

    /** Each problem as {@code WR0101 file:1:2}. */
    public static List<String> codesAndPlaces(Problems problems) {
        return problems.faults().stream()
                .map(fault -> fault.code() + " " + fault.place())
                .toList();
    }

    /** Each problem as users read it. */
    public static String printed(Problems problems) {
        return String.join("\n", problems.faults().stream().map(Fault::toString).toList());
    }
}
