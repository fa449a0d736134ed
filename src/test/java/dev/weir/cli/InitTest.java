package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code weir init}: a project to start from, and nobody's file lost for it. */
class InitTest {

    private static final List<String> FILES = List.of(
            ".env.example",
            ".gitignore",
            ".schema/connections.json",
            ".schema/weir.json",
            "connections.yml",
            "pipelines/orders.sql",
            "weir.yml");

    @TempDir
    Path folder;

    private WeirProject.Said said(int exitCode, String... command) {
        WeirProject.Said said = new WeirProject(folder).run(command);
        assertThat(said.exitCode()).as(said.all()).isEqualTo(exitCode);
        BadOutput.isForPeople(said);
        return said;
    }

    private static List<String> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @EnumSource
    void makesTheFilesOfAProject(Template template) throws IOException {
        WeirProject.Said made = said(0, "init", "shop", "--template", template.toString());
        assertThat(files(folder))
                .containsExactlyElementsOf(
                        FILES.stream().map(name -> "shop/" + name).toList());
        assertThat(made.out())
                .contains(FILES)
                .contains("cp shop/.env.example shop/.env")
                .contains("weir validate --project shop\n")
                .contains("weir run --project shop --until-caught-up\n");
    }

    @ParameterizedTest
    @EnumSource
    void aTemplateIsSoundAsMade(Template template) throws IOException {
        said(0, "init", "--template", template.toString());
        Files.copy(folder.resolve(".env.example"), folder.resolve(".env"));
        assertThat(said(0, "validate").out()).startsWith("ok: 2 connections, 1 source, 1 sink, 1 pipeline;");
    }

    @ParameterizedTest
    @EnumSource
    void credentialsOfATemplateAreVariablesThatGitIgnores(Template template) throws IOException {
        said(0, "init", "--template", template.toString());
        assertThat(Files.readString(folder.resolve("connections.yml"))).doesNotContainPattern("password: [^$]");
        assertThat(Files.readAllLines(folder.resolve(".gitignore"))).contains(".weir/", ".env");
    }

    @Test
    void whatATemplateOfDuckDbMovesArrives() {
        arrives(Template.DUCKDB_TO_DUCKDB, "jdbc:duckdb:", "shop.duckdb");
    }

    @Test
    void whatATemplateOfSqliteMovesArrives() {
        arrives(Template.SQLITE_TO_DUCKDB, "jdbc:sqlite:", "shop.sqlite");
    }

    private void arrives(Template template, String url, String file) {
        WeirProject project = new WeirProject(folder).env("SHOP_FILE", file);
        said(0, "init", "--template", template.toString());
        try (Connection shop = DriverManager.getConnection(url + folder.resolve(file));
                Statement statement = shop.createStatement()) {
            statement.execute("CREATE TABLE orders (id BIGINT PRIMARY KEY, customer VARCHAR)");
            statement.execute("INSERT INTO orders VALUES (1, 'a'), (10000, 'b'), (12000, 'c')");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        WeirProject.Said loaded = project.run("run", "--until-caught-up");
        assertThat(loaded.exitCode()).as(loaded.all()).isZero();
        assertThat(project.duckRows("lake.duckdb", "SELECT id, customer FROM orders ORDER BY id"))
                .containsExactly("1|a", "10000|b", "12000|c");
    }

    @Test
    void inTheCurrentFolderItNamesNoProject() {
        assertThat(said(0, "init").out())
                .startsWith("Made in this folder: connections.yml")
                .contains("weir run --until-caught-up\n")
                .doesNotContain("--project");
    }

    @ParameterizedTest
    @ValueSource(strings = {"weir.yml", "pipelines/orders.sql", ".gitignore"})
    void aFileThatExistsIsNotOverwrittenAndNothingElseWritten(String existing) throws IOException {
        new WeirProject(folder).file("shop/" + existing, "mine");
        assertThat(said(2, "init", "shop").err()).contains("WR0105 shop: ", existing);
        assertThat(files(folder)).containsExactly("shop/" + existing);
        assertThat(folder.resolve("shop").resolve(existing)).hasContent("mine");
    }

    @Test
    void everyFileThatIsInTheWayIsNamed() {
        said(0, "init");
        assertThat(said(2, "init").err()).contains(FILES);
    }

    @Test
    void aFileInPlaceOfTheFolderIsSaid() {
        new WeirProject(folder).file("shop", "mine");
        assertThat(said(2, "init", "shop").err()).contains("WR0105 shop: ");
        assertThat(folder.resolve("shop")).hasContent("mine");
    }

    @Test
    void aTemplateThatIsNoneIsRefusedWithTheNearest() {
        assertThat(said(2, "init", "--template", "postgres-to-dukdb").err())
                .contains("WR0105 --template", "did you mean 'postgres-to-duckdb'?");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void theTemplatesAreListed() {
        assertThat(said(0, "init", "--list").out().lines().map(line -> line.split(" ")[0]))
                .containsExactlyElementsOf(Template.names());
        assertThat(said(0, "init", "--help").out()).contains(Template.names());
        assertThat(folder).isEmptyDirectory();
    }
}
