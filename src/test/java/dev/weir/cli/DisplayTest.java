package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.event.ScreenSize;
import dev.weir.run.Faults;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a run is shown live and in colours, and when it is not. Each run is a loop over 25 rows. */
class DisplayTest {

    private static final Map<String, String> TERMINAL = Map.of("TERM", "xterm", "LANG", "en_US.UTF-8");
    private static final String ESCAPE = "\u001b";
    private static final List<String> LOOP = List.of("run", "--until-caught-up");

    @TempDir
    private Path folder;

    @BeforeEach
    void aProjectOf25Rows() {
        DisplayProject.of(folder, 25, 10);
    }

    private String shown(Map<String, String> environment, Screen screen, List<String> args) {
        return shown(environment, screen, args, "");
    }

    /** @param seen what must have been shown before the second pass commits: a screen is not drawn all the time */
    private String shown(Map<String, String> environment, Screen screen, List<String> args, String seen) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        AtomicInteger commits = new AtomicInteger();
        Faults wait = point -> {
            if (point == Faults.Point.BEFORE_SINK_COMMIT && commits.incrementAndGet() == 2) {
                await().until(() -> out.toString(StandardCharsets.UTF_8).contains(seen));
            }
        };
        Console console = new Console(stream, stream, environment, folder, Clock.systemUTC(), wait, screen);
        assertThat(Weir.run(console, args.toArray(String[]::new))).isZero();
        return out.toString(StandardCharsets.UTF_8);
    }

    private static Screen screen() {
        return () -> Optional.of(new ScreenSize(80, 24));
    }

    @Test
    void aLoopOnATerminalIsLiveAndItsContractLineIsLast() {
        assertThat(shown(TERMINAL, screen(), LOOP, ESCAPE + "[36m"))
                .contains(
                        ESCAPE + "[36m",
                        "100%",
                        "25 of 25",
                        "3 passes",
                        "caught up",
                        "read   src_shop__orders  25 rows  none → 25")
                .doesNotContain("ok src_shop__orders", "ok lake.orders")
                .endsWith("note: until-caught-up: 3 passes, stopped: caught up\n");
    }

    @Test
    void noColorIsHonoured() {
        String shown = shown(Map.of("TERM", "xterm", "LANG", "en_US.UTF-8", "NO_COLOR", "1"), screen(), LOOP);
        assertThat(shown).contains("━", ESCAPE + "[?25l").doesNotContainPattern(ESCAPE + "\\[\\d+m");
    }

    @Test
    void anEmptyNoColorIsNone() {
        assertThat(shown(Map.of("TERM", "xterm", "NO_COLOR", ""), screen(), LOOP))
                .containsPattern(ESCAPE + "\\[\\d+m");
    }

    @Test
    void withoutATerminalEveryPassIsPrintedPlainly() {
        assertThat(shown(TERMINAL, Screen.NONE, LOOP))
                .doesNotContain(ESCAPE)
                .contains("ok src_shop__orders 10 rows", "ok lake.orders 5 rows");
    }

    @Test
    void aTerminalThatCanDoNothingIsSentLinesAlone() {
        assertThat(shown(Map.of("TERM", "dumb"), screen(), LOOP))
                .doesNotContain(ESCAPE)
                .contains("ok lake.orders 5");
        assertThat(shown(Map.of(), screen(), LOOP)).doesNotContain(ESCAPE).contains("ok lake.orders 0");
    }

    @Test
    void noProgressPrintsEveryPassInColours() {
        assertThat(shown(TERMINAL, screen(), List.of("run", "--until-caught-up", "--no-progress")))
                .contains(ESCAPE + "[32mok" + ESCAPE + "[0m lake.orders 5 rows")
                .doesNotContain(ESCAPE + "[?25l", ESCAPE + "[J");
    }

    @Test
    void jsonIsJsonOnATerminalToo() {
        String shown = shown(TERMINAL, screen(), List.of("run", "--until-caught-up", "--log-format", "json"));
        assertThat(shown).doesNotContain(ESCAPE);
        assertThat(shown.lines()).allMatch(line -> line.startsWith("{\"event\":") || line.startsWith("note: "));
    }

    @Test
    void aSinglePassOnATerminalPrintsItsNodes() {
        assertThat(shown(TERMINAL, screen(), List.of("run")))
                .contains(ESCAPE + "[32mok" + ESCAPE + "[0m src_shop__orders 10 rows")
                .contains("run_results.json)");
    }
}
