package dev.weir.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of types ends in the tables that weir prints, so that it says what the connectors do. */
class TypesPageTest {

    @TempDir
    Path folder;

    @Test
    void thePageHoldsTheTablesOfTheCode() {
        WeirProject.Said said = new WeirProject(folder).run("schema", "types", "--markdown");

        assertThat(said.exitCode()).isZero();
        assertThat(Document.read("docs/types.md").text())
                .as("replace what is below '## Tables' with what 'weir schema types --markdown' prints")
                .endsWith("\n\n" + said.out());
    }
}
