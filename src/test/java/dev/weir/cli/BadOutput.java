package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.WeirProject;

/** What no message may hold: the traces of code. */
final class BadOutput {

    private BadOutput() {}

    static void isForPeople(WeirProject.Said said) {
        assertThat(said.all())
                .doesNotContain("\tat ")
                .doesNotContain("Exception")
                .doesNotContain("dev.weir")
                .doesNotContain("java.")
                .doesNotContain("Optional[")
                .doesNotContain("WR0599")
                .doesNotContain("internal error");
    }
}
