package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Secrets work as they are, and are in no output and no file of weir's, whatever fails. Cases P1, P2, P6. */
class SecretTest {

    private static final int TELLING = 12;
    private static final String LONG = Base64.getEncoder()
            .encodeToString("0123456789abcdefghijklmnopqrstuvwxyz".repeat(42).getBytes(StandardCharsets.UTF_8))
            .substring(0, 2000);
    private static final String COPY = """
            INSERT INTO {{ sink('lake', 't', strategy: 'merge', keys: ['id']) }}
            SELECT id, name FROM {{ source('pg', 'public.t') }}
            """;

    private static Postgres.Database database;

    @TempDir
    Path folder;

    static Stream<String> passwords() {
        return Stream.of(
                "$RvePwd01",
                "pa$$word$1",
                "${HOME}/secret",
                "a: b #comment {x} [y]",
                "\"quoted\" secret",
                "it's one''s own",
                "back\\slash\\\\n and \\u0041",
                "  leading blanks",
                "trailing blanks  ",
                "ümläute-ßéñ-密码-🔑",
                "p%40ss+w&rd=?/@:;",
                "'; DROP TABLE t; --",
                "{{ var('x') }} {% %}",
                "0123456789012",
                LONG);
    }

    static Stream<String> nasty() {
        return Stream.of("$Rve\"Pw'd 01\\x", "  ü ${HOME} %40 #x  ", LONG);
    }

    @BeforeAll
    static void rows() {
        database = Postgres.fresh();
        database.execute(
                "CREATE TABLE t (id bigint PRIMARY KEY, name text)",
                "INSERT INTO t SELECT i, 'n' || i FROM generate_series(1, 20) i",
                "GRANT SELECT ON t TO secret");
    }

    private WeirProject project(String password) {
        return new WeirProject(folder)
                .env("PG_PASSWORD", password)
                .file("connections.yml", connections("${PG_PASSWORD}"))
                .file("pipelines/copy.sql", COPY);
    }

    private static String connections(String password) {
        return """
                pg:
                  connector: postgres
                  host: localhost
                  port: %d
                  database: %s
                  user: secret
                  password: %s
                  entities:
                    public.t:
                      read:
                        sync: { mode: incremental, cursor: id, max_window: 10, initial: 0, until: 20 }
                lake: { connector: duckdb, path: lake.duckdb }
                """.formatted(database.port(), database.name(), password);
    }

    private static void is(String password) {
        database.execute("ALTER ROLE secret PASSWORD '" + password.replace("'", "''") + "'");
    }

    @ParameterizedTest
    @MethodSource("passwords")
    void worksAsItIsAndIsShownNowhere(String password) {
        is(password);
        WeirProject project = project(password);
        WeirProject.Said text = project.run("run", "--all");
        assertThat(text.exitCode()).as(text.all()).isZero();
        WeirProject.Said json = project.run("run", "--all", "--until-caught-up", "--log-format", "json");
        assertThat(json.exitCode()).as(json.all()).isZero();
        assertThat(CaseProject.events(json)).isNotEmpty();
        assertThat(project.duckRows("lake.duckdb", "SELECT count(*) FROM t")).containsExactly("20");
        isNowhere(
                password,
                text,
                json,
                project.run("runs"),
                project.run("runs", "--json"),
                project.run("ls", "--json"),
                project.run("validate"),
                project.run("compile"),
                project.run("state", "show", "pg.t"));
    }

    @ParameterizedTest
    @MethodSource("nasty")
    void worksWhenItStandsInTheFile(String password) {
        is(password);
        WeirProject project = project("")
                .file(
                        "connections.yml",
                        connections("'" + password.replace("'", "''").replace("$", "$$") + "'"));
        WeirProject.Said said = project.run("run", "--all");
        assertThat(said.exitCode()).as(said.all()).isZero();
        isNowhere(password, said);
    }

    @ParameterizedTest
    @MethodSource("nasty")
    void worksFromTheEnvFile(String password) {
        is(password);
        WeirProject project = new WeirProject(folder)
                .file("connections.yml", connections("${PG_PASSWORD}"))
                .file("pipelines/copy.sql", COPY)
                .file(".env", "PG_PASSWORD=\"" + password.replace("\\", "\\\\").replace("\"", "\\\"") + "\"\n");
        WeirProject.Said said = project.run("run", "--all");
        assertThat(said.exitCode()).as(said.all()).isZero();
        isNowhere(password, said);
    }

    @ParameterizedTest
    @MethodSource("nasty")
    void isHiddenWhenItIsRefused(String password) {
        is("another one");
        fails(project(password), password, "WR0501");
    }

    @ParameterizedTest
    @MethodSource("nasty")
    void isHiddenWhenTheServerIsDown(String password) {
        WeirProject project = project(password)
                .file("connections.yml", connections("${PG_PASSWORD}").replaceFirst("port: \\d+", "port: 1"));
        fails(project, password, "WR0501");
    }

    @ParameterizedTest
    @MethodSource("nasty")
    void isHiddenWhenItIsTakenForAnotherOption(String password) {
        is(password);
        for (String option :
                List.of("host", "database", "port", "user", "sslmode", "sslrootcert", "connector", "hots")) {
            String yml = connections("${PG_PASSWORD}").replaceFirst("(?m)^  " + option + ": .*\n", "");
            WeirProject project = project(password)
                    .file("connections.yml", yml.replaceFirst("pg:\n", "pg:\n  " + option + ": \\${PG_PASSWORD}\n"));
            WeirProject.Said said = project.run("run", "--all");
            if (!option.equals("sslrootcert")) {
                assertThat(said.exitCode()).as(option + said.all()).isIn(1, 2);
            }
            BadOutput.isForPeople(said);
            isNowhere(password, said);
        }
    }

    @ParameterizedTest
    @MethodSource("nasty")
    void isHiddenWhenItIsTakenForAWindow(String password) {
        for (String key : List.of("cursor: id", "max_window: 10", "initial: 0", "until: 20", "mode: incremental")) {
            String yml = connections("${PG_PASSWORD}")
                    .replace(key, key.substring(0, key.indexOf(' ') + 1) + "\"${PG_PASSWORD}\"");
            WeirProject project = project(password).file("connections.yml", yml);
            is(password);
            WeirProject.Said said = project.run("run", "--all");
            assertThat(said.exitCode()).as(key + said.all()).isIn(1, 2);
            isNowhere(password, said);
        }
    }

    @ParameterizedTest
    @MethodSource("nasty")
    void isHiddenWhenSqlStumblesOverIt(String password) {
        is(password);
        WeirProject project = project(password)
                .file(
                        "pipelines/copy.sql",
                        COPY.replace("id, name", "id, CAST(name || {{ env('PG_PASSWORD') }} AS INTEGER) AS name"));
        fails(project, password, "WR0502");
    }

    @ParameterizedTest
    @MethodSource("nasty")
    void isHiddenWhenSqlDoesNotBindBesideIt(String password) {
        is(password);
        for (String broken : List.of(
                "id, nonsense AS name, {{ env('PG_PASSWORD') }} AS p",
                "id, {{ env('PG_PASSWORD') }}::INTEGER AS name",
                "id, {{ env('PG_PASSWORD') }} + 1 + DATE 'x' AS name",
                "id, {{ env('PG_PASSWORD') }} AS name, ,")) {
            WeirProject project = project(password).file("pipelines/copy.sql", COPY.replace("id, name", broken));
            WeirProject.Said said = project.run("run", "--all", "--log-format", "json");
            assertThat(said.exitCode()).as(broken + said.all()).isIn(1, 2);
            isNowhere(password, said);
        }
    }

    @ParameterizedTest
    @MethodSource("nasty")
    void isHiddenWhenTheSourcesQueryStumblesOverIt(String password) {
        is(password);
        for (String query : List.of(
                "SELECT id, ($$${PG_PASSWORD}$$)::integer AS name FROM t",
                "SELECT id, $$${PG_PASSWORD}$$ nonsense FROM t WHERE")) {
            String yml = connections("${PG_PASSWORD}")
                    .replace("read:\n", "read:\n        query: '" + query.replace("$$", "$$$$") + "'\n");
            WeirProject project = project(password).file("connections.yml", yml);
            WeirProject.Said said = project.run("run", "--all");
            assertThat(said.exitCode()).as(query + said.all()).isIn(1, 2);
            isNowhere(password, said);
        }
    }

    @Test
    void isHiddenWhenTheYamlAroundItIsBroken() {
        String secret = "TopSecret%Word9";
        for (String written : List.of(
                "\"" + secret,
                "'" + secret,
                "@" + secret,
                "%" + secret,
                "`" + secret,
                "*" + secret,
                "&" + secret,
                "!" + secret,
                "!!" + secret,
                "a: " + secret,
                secret + ": b",
                "[" + secret,
                "{" + secret,
                "[" + secret + "]",
                "{ " + secret + " }",
                "{ " + secret + ": x }",
                "|x" + secret,
                secret + "\n  password: " + secret,
                secret + "\n  passwrod: " + secret,
                secret + "\n " + secret + ": 1",
                secret + "\n\tx: y",
                "\"" + secret + "\" x",
                "\"\\q" + secret + "\"",
                secret + "\n  entities: " + secret,
                "${" + secret,
                "${" + secret + "}",
                "${" + secret + ":-x}",
                "${NOWHERE}" + secret)) {
            WeirProject project = project("").file("connections.yml", connections(written));
            WeirProject.Said said = project.run("run", "--all");
            assertThat(said.exitCode()).as(written + said.all()).isEqualTo(2);
            BadOutput.isForPeople(said);
            isNowhere(secret, said);
        }
    }

    @Test
    void isHiddenWhenTheEnvFileIsBroken() {
        String secret = "TopSecret%Word9";
        for (String line : List.of(
                "PG_PASSWORD='" + secret,
                "PG_PASSWORD=\"" + secret,
                "PG_PASSWORD " + secret,
                secret,
                "PG_PASSWORD=\"" + secret + "\" x",
                "PG-PASSWORD=" + secret,
                "PG_PASSWORD=" + secret + "\nPG_PASSWORD=" + secret)) {
            WeirProject project = new WeirProject(folder)
                    .file("connections.yml", connections("${PG_PASSWORD:-x}"))
                    .file("pipelines/copy.sql", COPY)
                    .file(".env", line + "\n");
            WeirProject.Said said = project.run("run", "--all");
            assertThat(said.exitCode()).as(line + said.all()).isEqualTo(2);
            isNowhere(secret, said);
        }
    }

    @ParameterizedTest
    @MethodSource("nasty")
    void aVariableListedUnderSecretsIsHiddenLikewise(String token) {
        is("known");
        for (String broken : List.of(
                "id, CAST(name || {{ env('TOKEN') }} AS INTEGER) AS name",
                "id, {{ env('TOKEN') }}::INTEGER AS name",
                "id, nonsense AS name, {{ env('TOKEN') }} AS p")) {
            WeirProject project = project("known")
                    .env("TOKEN", token)
                    .file("weir.yml", "secrets: [TOKEN]\nvars: { token: \"${TOKEN}\" }\n")
                    .file("pipelines/copy.sql", COPY.replace("id, name", broken) + "-- {{ var('token') }}\n");
            WeirProject.Said text = project.run("run", "--all");
            WeirProject.Said json = project.run("run", "--all", "--log-format", "json");
            assertThat(text.exitCode()).as(broken + text.all()).isIn(1, 2);
            isNowhere(token, text, json, project.run("runs", "--json"));
        }
    }

    @Test
    void aVariableOfTheCommandLineIsNotInTheHistory() {
        is("known");
        String token = "TopSecret%Word9";
        WeirProject project = project("known")
                .file(
                        "pipelines/copy.sql",
                        COPY.replace("id, name", "id, {{ var('token') }} AS name")
                                .replace("t', strategy", "u', strategy"));
        assertThat(project.run("run", "--all", "--var", "token=" + token).exitCode())
                .isZero();
        assertThat(project.run("run", "--all", "--var=token=" + token).exitCode())
                .isZero();
        isNowhere(token, project.run("runs"), project.run("runs", "--json"));
    }

    private void fails(WeirProject project, String secret, String code) {
        WeirProject.Said text = project.run("run", "--all", "--until-caught-up");
        WeirProject.Said json = project.run("run", "--all", "--log-format", "json");
        assertThat(text.exitCode()).as(text.all()).isEqualTo(1);
        assertThat(text.all()).contains(code);
        assertThat(json.out()).contains(code);
        BadOutput.isForPeople(text);
        isNowhere(secret, text, json, project.run("runs"), project.run("runs", "--json"));
        isNowhere(secret, project.run("state", "set", "pg.t", "--value", "5", "--reason", "r"));
    }

    /** In no stream, and in no file below {@code .weir}: as it is, encoded, or in a telling part. */
    private void isNowhere(String secret, WeirProject.Said... said) {
        List<String> everything = new ArrayList<>();
        for (WeirProject.Said one : said) {
            everything.add(one.all());
        }
        filesOfWeir().forEach(file -> everything.add(bytes(file)));
        for (String text : everything) {
            for (String form : forms(secret)) {
                assertThat(text).doesNotContain(form);
            }
        }
    }

    private static List<String> forms(String secret) {
        List<String> forms = new ArrayList<>();
        byte[] utf8 = secret.getBytes(StandardCharsets.UTF_8);
        String encoded = URLEncoder.encode(secret, StandardCharsets.UTF_8);
        forms.add(secret);
        forms.add(secret.strip());
        forms.add(encoded);
        forms.add(encoded.replace("+", "%20"));
        forms.add(Base64.getEncoder().encodeToString(utf8));
        forms.add(Base64.getUrlEncoder().withoutPadding().encodeToString(utf8));
        forms.add(secret.replace("\\", "\\\\").replace("\"", "\\\""));
        forms.add(secret.replace("'", "''"));
        if (secret.length() > 10 * TELLING) {
            for (int at = 0; at + TELLING <= secret.length(); at += TELLING) {
                forms.add(secret.substring(at, at + TELLING));
            }
        }
        return forms;
    }

    private List<Path> filesOfWeir() {
        Path weir = folder.resolve(".weir");
        if (!Files.exists(weir)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(weir)) {
            return files.filter(Files::isRegularFile).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String bytes(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
