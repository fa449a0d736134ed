package dev.weir.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RedactorTest {

    private static final String LONG = "abcdefghijklmnopqrstuvwxyz0123456789".repeat(3);

    @Test
    void hidesASecretInEveryFormItIsEchoedIn() {
        Redactor redactor = new Redactor(List.of("p&ss 'w\"rd"));
        assertThat(redactor.redact("as it is: p&ss 'w\"rd.")).isEqualTo("as it is: ***.");
        assertThat(redactor.redact("url: p%26ss+%27w%22rd and p%26ss%20%27w%22rd"))
                .isEqualTo("url: *** and ***");
        assertThat(redactor.redact("base64: cCZzcyAndyJyZA==")).isEqualTo("base64: ***");
        assertThat(redactor.redact("json: p&ss 'w\\\"rd, sql: p&ss ''w\"rd")).isEqualTo("json: ***, sql: ***");
    }

    @Test
    void hidesALongSecretThatWasCutOff() {
        Redactor redactor = new Redactor(List.of(LONG));
        assertThat(redactor.redact("database \"" + LONG.substring(0, 63) + "\" does not exist"))
                .isEqualTo("database \"***\" does not exist");
        assertThat(redactor.redact("..." + LONG.substring(40, 60) + "..., " + LONG.substring(1, 17)))
                .isEqualTo("...***..., ***");
        assertThat(redactor.redact(LONG.substring(0, 20))).isEqualTo("***");
    }

    @Test
    void leavesWhatSharesAWordWithASecret() {
        Redactor redactor = new Redactor(List.of(LONG, "short"));
        assertThat(redactor.redact("abcdefghijklm is short of it")).isEqualTo("abcdefghijklm is *** of it");
    }

    @Test
    void hidesNothingForASecretWithoutText() {
        assertThat(new Redactor(List.of("")).redact("all of it")).isEqualTo("all of it");
    }
}
