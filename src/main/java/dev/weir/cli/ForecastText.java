package dev.weir.cli;

import dev.weir.fault.Redactor;
import dev.weir.run.Forecast;
import dev.weir.slicing.CursorRange;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The lines of {@code weir plan}. */
final class ForecastText {

    private final Redactor redactor;

    ForecastText(Redactor redactor) {
        this.redactor = redactor;
    }

    List<String> of(Forecast forecast) {
        List<String> lines = new ArrayList<>();
        forecast.sources().forEach(source -> {
            source(source, lines);
            source.sinks().forEach(sink -> sink(source, sink, lines));
        });
        return lines.stream().map(redactor::redact).toList();
    }

    private static void source(Forecast.OfSource source, List<String> lines) {
        if (source.next().isEmpty()) {
            String how = source.failure().isPresent()
                    ? "failed"
                    : source.isIncremental() ? "no sink can take it" : "read in full, once a run";
            lines.add(source.key() + " — " + how);
            source.failure().ifPresent(failure -> indented(failure, lines));
            return;
        }
        Forecast.Next next = source.next().get();
        lines.add(source.key() + " — cursor " + next.cursor());
        lines.add("  watermark  " + next.watermark().map(Object::toString).orElse("none: the first run"));
        lines.add("  ceiling    " + next.ceiling().map(Object::toString).orElse("none"));
        next.heldBack().ifPresent(held -> lines.add("  held back  " + held));
        if (next.window().isEmpty()) {
            lines.add("  window     none: nothing is left below the ceiling");
        } else {
            lines.add("  window     " + range(next.window().get()) + "  " + rows(next.rows())
                    + next.autoWidth()
                            .map(width -> ", " + width + " wide (auto)")
                            .orElse(""));
            lines.add("  left       " + rows(next.rowsLeft()) + passes(next));
        }
        next.again()
                .forEach(range ->
                        lines.add("  again      " + range(range) + "  " + rows(next.rowsAgain()) + ", by lookback"));
    }

    private static String passes(Forecast.Next next) {
        if (next.passesLeft().isEmpty()) {
            return "";
        }
        BigInteger passes = next.passesLeft().get();
        String count = passes.equals(BigInteger.ONE) ? "1 pass" : String.format(Locale.ROOT, "%,d passes", passes);
        if (next.passesAreExact()) {
            return ", in " + count;
        }
        return (next.autoWidth().isPresent() ? ", in about " : ", in at most ") + count;
    }

    private static void sink(Forecast.OfSource source, Forecast.OfSink sink, List<String> lines) {
        String stands = sink.stands().map(value -> "stands at " + value).orElse("stands nowhere yet");
        String part = !source.isIncremental()
                ? ""
                : "  " + stands + (sink.takesPart() || sink.stands().isEmpty() ? "" : ", ahead: skips this slice");
        lines.add("  " + sink.pipeline() + " → " + sink.node().id() + "  "
                + sink.node().strategy() + ", " + sink.guarantee() + (sink.isRefused() ? "" : part));
        sink.notRead().ifPresent(why -> indented("not read: " + why, lines));
        sink.refusal().ifPresent(why -> indented(why, lines));
        sink.said().forEach(said -> indented(said, lines));
    }

    private static void indented(String text, List<String> lines) {
        text.lines().forEach(line -> lines.add("    " + line));
    }

    static String range(CursorRange range) {
        return (range.fromInclusive() ? "[" : "(") + range.from() + ", " + range.to() + "]";
    }

    private static String rows(long rows) {
        String count = String.format(Locale.ROOT, "%,d", rows) + (rows == 1 ? " row" : " rows");
        return Optional.of(count).filter(text -> rows < Forecast.COUNTED).orElse("at least " + count);
    }
}
