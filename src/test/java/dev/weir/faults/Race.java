package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Several processes which are told to start a command at the same moment, as often as a test likes. */
final class Race implements AutoCloseable {

    private static final Pattern ROWS = Pattern.compile("^ok (?!src_)\\S+ (\\d+) rows", Pattern.MULTILINE);
    private static final Pattern HOLDER = Pattern.compile(
            "WR0520 pg\\.public\\.t: it is being loaded, or edited, by process (\\d+) on \\S+, run \\S+, since \\S+\n");

    private final List<Child> racers = new ArrayList<>();

    Race(int racers) {
        for (int i = 0; i < racers; i++) {
            this.racers.add(Child.racing());
        }
    }

    /** What one of them came to. */
    record Outcome(long pid, int exitCode, String said) {

        /** How many rows its sinks got. */
        long rows() {
            return ROWS.matcher(said)
                    .results()
                    .mapToLong(found -> Long.parseLong(found.group(1)))
                    .sum();
        }

        /** Who, it says, holds the entity. */
        long holder() {
            Matcher holder = HOLDER.matcher(said);
            assertThat(holder.find()).as(said).isTrue();
            return Long.parseLong(holder.group(1));
        }
    }

    /** Lets as many run as there are commands, and waits until all have ended. */
    List<Outcome> run(Path project, String... commands) {
        List<Integer> before = new ArrayList<>();
        for (int i = 0; i < commands.length; i++) {
            before.add(racers.get(i).out().size());
        }
        for (int i = 0; i < commands.length; i++) {
            racers.get(i).tell(project + " " + commands[i]);
        }
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < commands.length; i++) {
            outcomes.add(outcome(racers.get(i), before.get(i)));
        }
        return outcomes;
    }

    private static Outcome outcome(Child racer, int before) {
        racer.awaitLine(before, line -> line.startsWith(Racer.EXIT));
        List<String> lines =
                List.copyOf(racer.out()).subList(before, racer.out().size());
        String last = lines.get(lines.size() - 1);
        assertThat(last).as(racer.all()).startsWith(Racer.EXIT);
        return new Outcome(
                racer.pid(), Integer.parseInt(last.substring(Racer.EXIT.length())), String.join("\n", lines) + "\n");
    }

    @Override
    public void close() {
        racers.forEach(Child::close);
    }
}
