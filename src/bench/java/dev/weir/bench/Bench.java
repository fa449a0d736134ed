package dev.weir.bench;

import dev.weir.bench.Command.FailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Measures round after round, so that what is compared was measured in the same minutes, and reports. */
final class Bench {

    private Bench() {}

    /** Ends with 1 when a command failed or a copy of weir's was wrong: then there is no table and no file. */
    public static void main(String[] arguments) throws InterruptedException {
        try {
            measure(Setting.ofEnvironment());
        } catch (FailedException | IOException e) {
            System.err.println("bench: " + e.getMessage());
            System.exit(1);
        }
    }

    private static void measure(Setting setting) throws IOException, InterruptedException, FailedException {
        Report report = new Report(setting);
        notInstalled(setting, report);
        List<Peer> peers = new ArrayList<>(Peer.all(setting));
        for (int number = 1; number <= setting.rounds(); number++) {
            Round round = new Round(setting);
            for (Figure figure : setting.figures()) {
                say(number, setting, figure.id());
                report.add(figure, figure.measure(round));
            }
            for (Peer peer : List.copyOf(peers)) {
                say(number, setting, peer.id());
                try {
                    report.add(peer, peer.measure());
                } catch (FailedException e) {
                    report.notCompared(peer.id(), e.getMessage());
                    peers.remove(peer);
                }
            }
        }
        System.out.print(report.table());
        System.out.println(report.write(Machine.facts()));
    }

    private static void say(int round, Setting setting, String what) {
        System.err.println("bench: round " + round + " of " + setting.rounds() + ": " + what);
    }

    /** {@code bench/run} leaves the reason in a file for each peer it could not install. */
    private static void notInstalled(Setting setting, Report report) throws IOException {
        if (!Files.isDirectory(setting.peersFolder())) {
            return;
        }
        try (var reasons = Files.newDirectoryStream(setting.peersFolder(), "*.failed")) {
            for (Path reason : reasons) {
                report.notCompared(
                        reason.getFileName().toString().replace(".failed", ""),
                        Files.readString(reason).strip());
            }
        }
    }
}
