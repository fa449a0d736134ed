package dev.weir.bench;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is measured, on what, and where: told by {@code bench/run} in the environment.
 *
 * @param rows of the table {@code orders}
 * @param rounds how often each figure is measured, at least once
 * @param figures which ones, in their order
 * @param peers the names of those to compare with
 * @param peersFolder where each of them is installed in a folder of its name
 * @param weir what starts weir
 * @param home the folder of the repository
 * @param work where projects and targets are made, to be deleted
 * @param results where the file of results goes
 */
record Setting(
        long rows,
        int rounds,
        List<Figure> figures,
        List<String> peers,
        Path peersFolder,
        Path weir,
        Path home,
        Path work,
        Path results) {

    static Setting ofEnvironment() {
        return new Setting(
                Long.parseLong(value("BENCH_ROWS")),
                Integer.parseInt(value("BENCH_ROUNDS")),
                words("BENCH_FIGURES").map(Figure::named).sorted().toList(),
                words("BENCH_PEERS").toList(),
                Path.of(value("BENCH_PEERS_FOLDER")),
                Path.of(value("BENCH_WEIR")),
                Path.of(value("BENCH_HOME")),
                Path.of(value("BENCH_WORK")),
                Path.of(value("BENCH_RESULTS")));
    }

    static String value(String name) {
        String value = System.getenv(name);
        if (value == null) {
            throw new IllegalStateException(name + " is not set: start bench/run");
        }
        return value;
    }

    private static Stream<String> words(String name) {
        return Arrays.stream(value(name).split("[\\s,]+")).filter(word -> !word.isEmpty());
    }
}
