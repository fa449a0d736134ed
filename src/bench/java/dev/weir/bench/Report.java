package dev.weir.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** The samples of all rounds, as a table for people and as a file of JSON with every sample. */
final class Report {

    /** The rows the targets were set for; with others, nothing is said to be met. */
    private static final long ROWS_OF_THE_TARGETS = 5_000_000;

    private final Setting setting;
    private final Map<Figure, List<Sample>> figures = new LinkedHashMap<>();
    private final Map<Peer, List<Sample>> peers = new LinkedHashMap<>();
    private final Map<String, String> notCompared = new LinkedHashMap<>();

    Report(Setting setting) {
        this.setting = setting;
    }

    void add(Figure figure, Sample sample) {
        figures.computeIfAbsent(figure, one -> new ArrayList<>()).add(sample);
    }

    void add(Peer peer, Sample sample) {
        peers.computeIfAbsent(peer, one -> new ArrayList<>()).add(sample);
    }

    /** A peer that could not be installed, did not run, or made a wrong copy. */
    void notCompared(String peer, String reason) {
        notCompared.put(peer, reason);
    }

    /** The table. */
    String table() {
        StringBuilder table = new StringBuilder();
        line(table, "figure", "median", "min - max", "target", "met");
        figures.forEach((figure, samples) -> {
            Spread spread = Spread.of(samples);
            line(
                    table,
                    figure.id() + ": " + figure.title(),
                    written(spread.median(), figure.unit()),
                    written(spread.min(), figure.unit()) + " - " + written(spread.max(), figure.unit()),
                    figure.target().isPresent() ? written(figure.target().getAsDouble(), figure.unit()) : "",
                    verdict(figure, spread));
        });
        peers.forEach((peer, samples) -> {
            Spread spread = Spread.of(samples);
            line(
                    table,
                    peer.id() + ": " + peer.what() + ", to COPY",
                    written(spread.median(), "x"),
                    written(spread.min(), "x") + " - " + written(spread.max(), "x"),
                    "",
                    "");
        });
        notCompared.forEach((peer, reason) ->
                table.append(peer).append(": not compared: ").append(reason).append('\n'));
        return table.toString();
    }

    private static void line(
            StringBuilder table, String figure, String median, String range, String target, String met) {
        table.append(String.format(Locale.ROOT, "%-72s %10s  %-23s %9s  %s", figure, median, range, target, met)
                        .stripTrailing())
                .append('\n');
    }

    private static String written(double value, String unit) {
        return String.format(Locale.ROOT, unit.equals("x") ? "%.2f %s" : "%.0f %s", value, unit);
    }

    private String verdict(Figure figure, Spread spread) {
        if (figure.target().isEmpty()) {
            return "";
        }
        if (setting.rows() != ROWS_OF_THE_TARGETS) {
            return "-";
        }
        return figure.meets(spread.median()) ? "yes" : "no";
    }

    /** Writes the file, which is named after the day; one that is there already stays. */
    Path write(Map<String, Object> machine) throws IOException {
        Map<String, Object> all = new LinkedHashMap<>();
        String day = LocalDate.now().toString();
        all.put("date", day);
        all.put("rows", setting.rows());
        all.put("rounds", setting.rounds());
        all.put("machine", machine);
        Map<String, Object> measured = new LinkedHashMap<>();
        figures.forEach((figure, samples) -> {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("title", figure.title());
            one.put("unit", figure.unit());
            OptionalDouble target = figure.target();
            one.put("target", target.isPresent() ? target.getAsDouble() : null);
            one.put("met", verdict(figure, Spread.of(samples)));
            one.put("spread", Spread.of(samples));
            one.put("samples", samples);
            measured.put(figure.id(), one);
        });
        all.put("figures", measured);
        Map<String, Object> compared = new LinkedHashMap<>();
        peers.forEach((peer, samples) ->
                compared.put(peer.id(), Map.of("what", peer.what(), "spread", Spread.of(samples), "samples", samples)));
        all.put("peers", compared);
        all.put("not_compared", notCompared);
        Files.createDirectories(setting.results());
        Path file = setting.results().resolve(day + ".json");
        for (int number = 2; Files.exists(file); number++) {
            file = setting.results().resolve(day + "-" + number + ".json");
        }
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), all);
        return file;
    }

    /** The middle of some samples, and how far they lie apart. */
    record Spread(double median, double min, double max) {

        static Spread of(List<Sample> samples) {
            List<Double> values = samples.stream().map(Sample::value).toList();
            return new Spread(
                    Median.of(values),
                    values.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN),
                    values.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN));
        }
    }
}
