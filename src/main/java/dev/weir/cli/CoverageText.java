package dev.weir.cli;

import dev.weir.fault.Redactor;
import dev.weir.run.CoverageReport;
import dev.weir.slicing.Spelling;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The lines of {@code weir coverage}. */
final class CoverageText {

    private final Redactor redactor;

    CoverageText(Redactor redactor) {
        this.redactor = redactor;
    }

    /** Each sink with what it holds, in order, and a line that sums it up. */
    List<String> of(CoverageReport report) {
        List<String> lines = new ArrayList<>();
        report.sinks().forEach(sink -> add(sink, lines));
        lines.add(summary(report));
        return lines.stream().map(redactor::redact).toList();
    }

    private static void add(CoverageReport.OfSink sink, List<String> lines) {
        lines.add(sink.sink());
        sink.notRead().ifPresent(why -> {
            ("not read: " + why).lines().forEach(line -> lines.add("  " + line));
            lines.add("  so this is state's word:");
        });
        if (sink.sources().isEmpty()) {
            lines.add("  the pipeline reads no source by a cursor, and no backfill has loaded any");
        }
        for (CoverageReport.OfSource source : sink.sources()) {
            if (source.cursors().isEmpty()) {
                lines.add("  " + source.source() + " — nothing is loaded");
            }
            for (CoverageReport.OfCursor cursor : source.cursors()) {
                lines.add("  " + source.source() + " — cursor " + BackfillShowText.cursor(cursor.cursor()));
                add(cursor, lines);
            }
        }
    }

    /** A hole lies behind each stretch that does not touch the next. */
    private static void add(CoverageReport.OfCursor cursor, List<String> lines) {
        List<String> ranges = cursor.stretches().stream()
                .map(stretch -> spelled(stretch.range()))
                .toList();
        List<String> loaders = cursor.stretches().stream().map(CoverageText::by).toList();
        String form = "    %-" + widest(ranges) + "s  %-" + widest(loaders) + "s  %s";
        int hole = 0;
        for (int i = 0; i < ranges.size(); i++) {
            CoverageReport.Stretch stretch = cursor.stretches().get(i);
            lines.add(String.format(Locale.ROOT, form, ranges.get(i), loaders.get(i), when(stretch) + rows(stretch)));
            if (hole < cursor.holes().size() && liesBehind(cursor.holes().get(hole), stretch)) {
                lines.add("    hole " + spelled(cursor.holes().get(hole)));
                hole++;
            }
        }
    }

    private static boolean liesBehind(CoverageReport.Range hole, CoverageReport.Stretch stretch) {
        return hole.from() != null && hole.from().equals(stretch.range().to());
    }

    private static int widest(List<String> texts) {
        return texts.stream().mapToInt(String::length).max().orElse(1);
    }

    private static String spelled(CoverageReport.Range range) {
        String from = range.from() == null
                ? "(the beginning"
                : (range.fromInclusive() ? "[" : "(") + Spelling.of(range.from());
        String to = range.to() == null ? "the end)" : Spelling.of(range.to()) + (range.toInclusive() ? "]" : ")");
        return from + ", " + to;
    }

    private static String by(CoverageReport.Stretch stretch) {
        return stretch.by().stream()
                        .map(loader -> loader.equals(CoverageReport.FORWARD) ? loader : "backfill " + loader)
                        .collect(Collectors.joining(", "))
                + (stretch.times() == 1 ? "" : " ×" + stretch.times());
    }

    private static String when(CoverageReport.Stretch stretch) {
        Instant last = stretch.last().truncatedTo(ChronoUnit.SECONDS);
        return stretch.first()
                .map(first -> first.truncatedTo(ChronoUnit.SECONDS))
                .map(first -> first.equals(last) ? last.toString() : first + " to " + last)
                .orElse("up to " + last);
    }

    private static String rows(CoverageReport.Stretch stretch) {
        if (stretch.rows().isEmpty()) {
            return "";
        }
        long rows = stretch.rows().getAsLong();
        return "  " + String.format(Locale.ROOT, "%,d", rows) + (rows == 1 ? " row" : " rows");
    }

    private static String summary(CoverageReport report) {
        List<CoverageReport.OfCursor> cursors = report.sinks().stream()
                .flatMap(sink -> sink.sources().stream())
                .flatMap(source -> source.cursors().stream())
                .toList();
        int stretches =
                cursors.stream().mapToInt(cursor -> cursor.stretches().size()).sum();
        int holes = cursors.stream().mapToInt(cursor -> cursor.holes().size()).sum();
        int sinks = report.sinks().size();
        return report.pipeline() + ": " + counted(stretches, "stretch", "stretches") + " loaded into "
                + counted(sinks, "sink", "sinks") + ", "
                + (holes == 0 ? "no hole" : counted(holes, "hole", "holes")) + " between";
    }

    private static String counted(int count, String one, String several) {
        return count + " " + (count == 1 ? one : several);
    }
}
