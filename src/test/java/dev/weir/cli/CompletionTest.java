package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The completion script, as bash itself takes it. */
class CompletionTest {

    @TempDir
    Path folder;

    @BeforeEach
    void writeTheScript() {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "there is no bash here");
        WeirProject project = new WeirProject(folder);
        WeirProject.Said said = project.run("generate-completion");
        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(said.err()).isEmpty();
        project.file("weir_completion", said.out());
    }

    private String bash(String commands) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("/bin/bash", "--norc", "-c", "source weir_completion\n" + commands)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.strip();
    }

    /** What is offered behind the words, the last of which is begun. */
    private List<String> offered(String... words) throws IOException, InterruptedException {
        return bash("COMP_WORDS=(" + String.join(" ", words) + ")\nCOMP_CWORD=" + (words.length - 1)
                        + "\n_complete_weir 2>/dev/null\nprintf '%s\\n' \"${COMPREPLY[@]}\"")
                .lines()
                .toList();
    }

    @Test
    void isRegisteredForWeir() throws Exception {
        assertThat(bash("complete -p weir")).startsWith("complete ").endsWith(" weir");
    }

    @Test
    void offersCommandsAndOptions() throws Exception {
        assertThat(offered("weir", "sta")).containsExactly("state");
        assertThat(offered("weir", "state", "ro")).containsExactly("rollback");
        assertThat(offered("weir", "run", "--until")).containsExactly("--until-caught-up");
    }
}
