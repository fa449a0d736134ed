package dev.weir.project;

import dev.weir.fault.Code;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the files of a project. Source of the rules: contract, section 2. */
public final class ProjectLoader {

    private static final String CONNECTIONS = "connections.yml";
    private static final String WEIR = "weir.yml";
    private static final String ENV = ".env";
    private static final String PIPELINES = "pipelines";
    private static final Pattern PIPELINE_NAME = Pattern.compile("[\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]*");

    private ProjectLoader() {}

    /**
     * Reads everything that can be read, and adds every problem.
     *
     * <p>Never throws for what is in the files. What has a problem is left out, or marked as not sound, so that the plan
     * can be made of the rest and find its problems too.
     *
     * @param dir the project's folder
     * @param environment the variables of the process; they win over {@code .env}
     * @param vars what {@code --var} gives; it wins over {@code vars:} in weir.yml
     */
    public static Project load(Path dir, Map<String, String> environment, Map<String, String> vars, Problems problems) {
        Path folder = dir.toAbsolutePath().normalize();
        Variables variables = new Variables(envFile(folder, problems), environment);
        if (!Files.isDirectory(folder)) {
            return empty(folder, "there is no folder " + folder, problems);
        }
        if (!Files.exists(folder.resolve(CONNECTIONS))) {
            return empty(folder, folder + " has no connections.yml", problems);
        }
        Expansion expansion = new Expansion(variables, problems);
        Optional<Value.Mapping> connections =
                yaml(folder, CONNECTIONS, problems).map(expansion::expand);
        WeirFile weir = Files.exists(folder.resolve(WEIR))
                ? yaml(folder, WEIR, problems)
                        .map(expansion::expand)
                        .map(root -> WeirFile.read(root, problems))
                        .orElse(WeirFile.NONE)
                : WeirFile.NONE;
        List<ConnectionSpec> specs = connections
                .map(root -> new ConnectionsReader(problems).read(root))
                .orElse(List.of());
        Vars values = new Vars(weir.vars(), vars);
        Calls calls = new Calls(values, variables, problems);
        List<PipelineSpec> pipelines = pipelines(folder, calls, problems);
        values.refuseUnused(calls.usedVars(), problems);
        return new Project(
                weir.name().orElse(nameOf(folder)),
                folder,
                weir.settings(),
                specs,
                connections.isPresent(),
                pipelines,
                secrets(weir, variables));
    }

    private static Set<String> secrets(WeirFile weir, Variables variables) {
        Set<String> secrets = new HashSet<>();
        weir.secrets().forEach(name -> secrets.addAll(variables.valuesOf(name)));
        return secrets;
    }

    private static Project empty(Path folder, String what, Problems problems) {
        problems.add(
                Code.NO_PROJECT,
                Place.of(folder.toString()),
                what,
                "run weir in a project's folder, or name it with --project DIR; a project is a folder with"
                        + " connections.yml and pipelines/*.sql");
        return new Project(nameOf(folder), folder, Settings.NONE, List.of(), false, List.of(), Set.of());
    }

    private static String nameOf(Path folder) {
        return folder.getFileName() == null ? "project" : folder.getFileName().toString();
    }

    private static Map<String, String> envFile(Path folder, Problems problems) {
        Path file = folder.resolve(ENV);
        return Files.exists(file)
                ? SourceText.read(file, ENV, problems)
                        .map(source -> EnvFile.read(source, problems))
                        .orElse(Map.of())
                : Map.of();
    }

    private static Optional<Value.Mapping> yaml(Path folder, String file, Problems problems) {
        return SourceText.read(folder.resolve(file), file, problems)
                .flatMap(source -> YamlReader.read(source, problems));
    }

    private static List<PipelineSpec> pipelines(Path folder, Calls calls, Problems problems) {
        List<PipelineSpec> pipelines = new ArrayList<>();
        Map<String, String> names = new HashMap<>();
        for (Path path : pipelineFiles(folder.resolve(PIPELINES), problems)) {
            String fileName = path.getFileName().toString();
            String file = PIPELINES + "/" + fileName;
            String name = fileName.substring(0, fileName.length() - ".sql".length());
            String other = names.putIfAbsent(name.toLowerCase(Locale.ROOT), file);
            if (other != null) {
                problems.add(
                        Code.DUPLICATE_KEY,
                        Place.of(file),
                        "its name differs from " + other + " in case alone",
                        "rename one of the two: not every system can tell them apart");
            } else if (!PIPELINE_NAME.matcher(name).matches()) {
                problems.add(
                        Code.BAD_VALUE,
                        Place.of(file),
                        "'" + name + "' is no name for a pipeline",
                        "use letters, digits, _, - and dots, and begin with a letter or a digit");
            }
            SourceText.read(path, file, problems)
                    .map(source -> TemplateReader.read(name, source, calls, problems))
                    .ifPresent(pipelines::add);
        }
        return pipelines;
    }

    private static List<Path> pipelineFiles(Path folder, Problems problems) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().endsWith(".sql"))
                    .filter(file -> !file.getFileName().toString().startsWith("."))
                    .filter(file -> !Files.isDirectory(file))
                    .sorted()
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            problems.add(
                    Code.MALFORMED_FILE,
                    Place.of(PIPELINES),
                    "the folder cannot be read",
                    "check that you may read it");
            return List.of();
        }
    }
}
