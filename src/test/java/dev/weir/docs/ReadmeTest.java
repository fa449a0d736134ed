package dev.weir.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A stranger needs two commands. */
class ReadmeTest {

    @Test
    void firstBlockHoldsTheTwoCommandsAndNothingElse() {
        Document.Block first = Document.read("README.md").blocks().get(0);

        assertThat(first.language()).isEqualTo("sh");
        assertThat(first.lines()).containsExactly("bin/weir demo", Reader.ALL_TESTS);
    }
}
