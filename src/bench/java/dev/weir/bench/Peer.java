package dev.weir.bench;

import dev.weir.bench.Command.FailedException;
import dev.weir.bench.Command.Taken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Another tool that does the same, in one of the ways it can: a program in Python below {@code bench/peers}.
 *
 * <p>{@code NAME.py modes} says its modes, a line each: the mode, a blank, what it does. {@code NAME.py MODE FILE} makes a
 * copy of the source in a DuckDB file, or in files beside it, and says on its last line what to select from.
 */
record Peer(Setting setting, String name, String mode, String what) {

    static List<Peer> all(Setting setting) throws IOException, InterruptedException, FailedException {
        List<Peer> all = new ArrayList<>();
        for (String name : setting.peers()) {
            Path said = setting.work().resolve("modes.txt");
            command(setting, name, said, "modes").run();
            try (Stream<String> lines = Files.lines(said)) {
                lines.map(line -> line.split(" ", 2))
                        .forEach(words -> all.add(new Peer(setting, name, words[0], words[1])));
            }
        }
        return all;
    }

    private static Command command(Setting setting, String name, Path output, String... arguments) {
        List<String> words = new ArrayList<>();
        words.add(setting.peersFolder().resolve(name + "/bin/python").toString());
        words.add(setting.home().resolve("bench/peers/" + name + ".py").toString());
        words.addAll(List.of(arguments));
        return new Command(words, setting.work(), output);
    }

    String id() {
        return name + " " + mode;
    }

    /** Copies the whole table once, the floor measured right before. */
    Sample measure() throws IOException, InterruptedException, FailedException {
        Orders orders = new Orders("orders", setting.work());
        Taken floor = orders.floor();
        Path folder = Files.createTempDirectory(setting.work(), "peer");
        Path file = folder.resolve("target.duckdb");
        Path output = folder.resolve("output.txt");
        Taken taken = command(setting, name, output, mode, file.toString()).run();
        List<String> said = Files.readAllLines(output);
        orders.checkRows(Orders.duckdb(file), said.get(said.size() - 1));
        Folders.delete(folder);
        Map<String, Double> parts = new LinkedHashMap<>();
        parts.put("peer_ms", taken.millis());
        parts.put("floor_ms", floor.millis());
        return new Sample(taken.millis() / floor.millis(), parts);
    }
}
