package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Weir as its own process on a real pseudo terminal, of which {@code script} from util-linux holds the other end. */
class PseudoTerminalTest {

    private static final String ESCAPE = "\u001b";
    private static final String CTRL_C = "\u0003";

    @TempDir
    private Path folder;

    @BeforeAll
    static void scriptIsThere() {
        assumeTrue(saysItsName(), "script from util-linux is not installed: nothing is tested on a pseudo terminal");
    }

    private static boolean saysItsName() {
        try {
            Process script = new ProcessBuilder("script", "--version")
                    .redirectErrorStream(true)
                    .start();
            String said = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return script.waitFor() == 0 && said.contains("util-linux");
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Process weir(String... args) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Path options = Files.write(
                folder.resolve("java.options"),
                List.of("-XX:TieredStopAtLevel=1", "-cp \"" + System.getProperty("java.class.path") + "\""));
        String command = "stty cols 80 rows 24; exec '" + java + "' '@" + options + "' " + Weir.class.getName() + " "
                + String.join(" ", args);
        ProcessBuilder builder = new ProcessBuilder("script", "-qec", command, "/dev/null").directory(folder.toFile());
        builder.environment().put("TERM", "xterm");
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().remove("NO_COLOR");
        return builder.start();
    }

    /** What the terminal was sent: up to where it holds that text, or all of it. */
    private static String sent(InputStream terminal, String until) throws IOException {
        StringBuilder sent = new StringBuilder();
        byte[] some = new byte[4_096];
        int count = 0;
        while (sent.indexOf(until) < 0 && (count = terminal.read(some)) >= 0) {
            sent.append(new String(some, 0, count, StandardCharsets.ISO_8859_1));
        }
        return sent.toString();
    }

    private static String sent(InputStream terminal) throws IOException {
        return new String(terminal.readAllBytes(), StandardCharsets.UTF_8);
    }

    private static void isLeftAsItWas(String sent) {
        assertThat(sent.lastIndexOf(ESCAPE + "[?25h")).isGreaterThan(sent.lastIndexOf(ESCAPE + "[?25l"));
        assertThat(sent.lastIndexOf(ESCAPE + "[?7h")).isGreaterThan(sent.lastIndexOf(ESCAPE + "[?7l"));
        assertThat(sent).endsWith("\r\n");
    }

    @Test
    @Timeout(60)
    void theDemoIsShownLiveAndLeavesTheTerminalAsItWas() throws Exception {
        Process process = weir("demo", "shop");
        String sent = sent(process.getInputStream());
        assertThat(process.waitFor()).as(sent).isZero();
        assertThat(sent)
                .contains("100%", "50000 of ", "5 passes", "caught up", "read   src_shop__orders", "50,000 rows")
                .contains("note: until-caught-up: 5 passes, stopped: caught up\r\n")
                .doesNotContain("ok src_shop__orders");
        isLeftAsItWas(sent);
    }

    @Test
    @Timeout(60)
    void ctrlCInALoopLeavesTheTerminalAsItWas() throws Exception {
        DisplayProject.of(folder, 100_000, 10);
        Process process = weir("run", "--until-caught-up", "--max-runs", "10000");
        InputStream terminal = process.getInputStream();
        assertThat(sent(terminal, " of 100000")).contains(" of 100000");
        process.getOutputStream().write(CTRL_C.getBytes(StandardCharsets.US_ASCII));
        process.getOutputStream().flush();
        String rest = sent(terminal);
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(rest).isEqualTo(3);
        assertThat(rest).contains("stopped", "stopped: cancelled\r\n");
        isLeftAsItWas(rest);
    }
}
