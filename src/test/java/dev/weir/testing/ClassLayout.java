package dev.weir.testing;

import dev.weir.cli.Weir;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * A class path laid out for a quick start, in {@code target}: all of it in jars, which is what the JVM can archive; the
 * native libraries unpacked once instead of by each process; and the archive of the classes that a run loads.
 *
 * <p>Made again whenever a file of the class path is another one, by whichever test process comes first.
 */
final class ClassLayout {

    private static final Path PLACE = Path.of("target", "test-jvm").toAbsolutePath();

    private final Path folder;
    private final List<Path> jars = new ArrayList<>();

    private ClassLayout(Path folder) {
        this.folder = folder;
    }

    static ClassLayout ofThisProcess() {
        List<Path> classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(Files::exists)
                .toList();
        try {
            Files.createDirectories(PLACE);
            try (FileChannel lock =
                    FileChannel.open(PLACE.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                lock.lock();
                return made(classPath);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ClassLayout made(List<Path> classPath) throws IOException {
        ClassLayout layout = new ClassLayout(PLACE.resolve(digest(classPath.toString())));
        Path madeFrom = Files.createDirectories(layout.folder).resolve("made-from");
        String fingerprint = fingerprint(classPath);
        boolean isNew = !Files.exists(madeFrom) || !Files.readString(madeFrom).equals(fingerprint);
        if (isNew) {
            for (Path former : files(layout.folder)) {
                Files.delete(former);
            }
        }
        for (Path entry : classPath) {
            layout.jars.add(layout.jarOf(entry, isNew));
        }
        if (isNew) {
            layout.train();
            Files.writeString(madeFrom, fingerprint);
        }
        return layout;
    }

    /** Differs when any file of the class path is another one. */
    private static String fingerprint(List<Path> classPath) throws IOException {
        StringBuilder all = new StringBuilder(System.getProperty("java.vm.version"));
        for (Path entry : classPath) {
            for (Path file : files(entry)) {
                all.append(file).append(Files.size(file)).append(Files.getLastModifiedTime(file));
            }
        }
        return digest(all.toString());
    }

    private static String digest(String text) {
        return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString();
    }

    private static List<Path> files(Path entry) throws IOException {
        try (Stream<Path> files = Files.walk(entry, FileVisitOption.FOLLOW_LINKS)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private Path jarOf(Path entry, boolean isNew) throws IOException {
        boolean isDuckDb = entry.getFileName().toString().startsWith("duckdb_jdbc");
        if (!Files.isDirectory(entry) && !isDuckDb) {
            return entry;
        }
        Path jar = folder.resolve((isDuckDb ? "duckdb" : entry.getFileName()) + ".jar");
        if (isNew && isDuckDb) {
            splitDuckDb(entry, jar);
        } else if (isNew) {
            pack(entry, jar);
        }
        return jar;
    }

    private static void pack(Path classes, Path jar) throws IOException {
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            out.setLevel(Deflater.BEST_SPEED);
            for (Path file : files(classes)) {
                out.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
                Files.copy(file, out);
            }
        }
    }

    /** Its library, once out of the jar, is loaded from {@code java.library.path}. */
    private void splitDuckDb(Path from, Path jar) throws IOException {
        try (ZipFile in = new ZipFile(from.toFile());
                ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (ZipEntry entry : in.stream().toList()) {
                if (entry.getName().startsWith("libduckdb_java")) {
                    continue;
                }
                out.putNextEntry(new ZipEntry(entry.getName()));
                try (InputStream bytes = in.getInputStream(entry)) {
                    bytes.transferTo(out);
                }
            }
            ZipEntry library = in.getEntry("libduckdb_java.so_" + system());
            try (InputStream bytes = in.getInputStream(library);
                    OutputStream file = Files.newOutputStream(folder.resolve(System.mapLibraryName("duckdb_java")))) {
                bytes.transferTo(file);
            }
        }
    }

    private static String system() {
        String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String system = name.startsWith("mac") ? "macos" : name.startsWith("windows") ? "windows" : "linux";
        return system + "_" + (System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64");
    }

    private Path archive() {
        return folder.resolve("classes.jsa");
    }

    /** Runs once what most of the processes will run, from Postgres into each kind of sink. */
    private void train() throws IOException {
        Postgres.Database database = Postgres.fresh();
        database.execute("CREATE TABLE t AS SELECT i AS id, 'row ' || i AS note FROM generate_series(1, 20) AS i");
        WeirProject project = new WeirProject(Files.createTempDirectory("weir-training"));
        project.file("connections.yml", """
                pg:
                  connector: postgres
                  host: localhost
                  port: %d
                  database: %s
                  user: postgres
                  entities:
                    public.t:
                      read: { sync: { mode: incremental, cursor: id, max_window: 10, initial: 0, until: 20 } }
                lake: { connector: duckdb, path: lake.duckdb }
                file: { connector: sqlite, path: file.sqlite }
                """.formatted(database.port(), database.name()));
        for (String sink : List.of("lake", "pg", "file")) {
            project.file(
                    "pipelines/" + sink + ".sql",
                    "INSERT INTO {{ sink('" + sink + "', 'loaded', strategy: 'merge', keys: ['id']) }}\n"
                            + "SELECT * FROM {{ source('pg', 't') }}\n");
        }
        List<String> command = new ArrayList<>(List.of(Jvm.java(), "-XX:ArchiveClassesAtExit=" + archive()));
        command.addAll(classPath());
        command.addAll(List.of(Weir.class.getName(), "run", "--all", "--until-caught-up"));
        Process process = new ProcessBuilder(command)
                .directory(project.directory().toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.onExit().join().exitValue() != 0) {
            throw new IllegalStateException(said);
        }
    }

    private List<String> classPath() {
        return List.of(
                "-Djava.library.path=" + folder,
                "-cp",
                String.join(
                        File.pathSeparator, jars.stream().map(Path::toString).toList()));
    }

    /** Options of the JVM. What it has to say about the archive is not for those who listen to weir. */
    List<String> options() {
        List<String> options = new ArrayList<>(
                List.of("-XX:SharedArchiveFile=" + archive(), "-Xlog:cds=off", "-Xlog:cds+dynamic=off"));
        options.addAll(classPath());
        return options;
    }
}
