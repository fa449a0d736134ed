package dev.weir;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasReturnType.Predicates.rawReturnType;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The house stands as it was drawn: which room may use which, and how large a file may grow. */
class ArchitectureTest {

    private static final String ROOT = "dev.weir";
    private static final int LONGEST_FILE = 400;

    private static final String[] ALL_BUT_RUN_AND_CLI = {
        "plan", "project", "slicing", "engine", "connector", "connector.*", "state", "event", "fault"
    };

    /** A name that is a hash depends on nothing but its text. */
    private static final Class<?>[] HASHING = {
        MessageDigest.class, NoSuchAlgorithmException.class, Charset.class, StandardCharsets.class
    };

    /** What each room may use of the others; a room that is not here does not exist. */
    private static final Map<String, List<String>> MAY_USE = Map.ofEntries(
            Map.entry("fault", List.of()),
            Map.entry("slicing", List.of()),
            Map.entry("event", List.of("slicing", "fault")),
            Map.entry("connector", List.of("slicing", "fault")),
            Map.entry("state", List.of("slicing", "fault")),
            Map.entry("project", List.of("slicing", "fault")),
            Map.entry("plan", List.of("project", "slicing", "connector", "fault")),
            Map.entry("engine", List.of("connector", "slicing", "fault")),
            Map.entry("run", List.of(ALL_BUT_RUN_AND_CLI)),
            Map.entry(
                    "cli",
                    Stream.concat(Stream.of("run"), Stream.of(ALL_BUT_RUN_AND_CLI))
                            .toList()));

    private static JavaClasses main;
    private static JavaClasses all;

    @BeforeAll
    static void readTheClasses() {
        Path built = Path.of("target", "classes");
        main = new ClassFileImporter().importPath(built);
        all = new ClassFileImporter().importPaths(built, Path.of("target", "test-classes"));
    }

    @TestFactory
    Stream<DynamicTest> aRoomUsesOnlyTheRoomsBelowIt() {
        return MAY_USE.keySet().stream()
                .sorted()
                .map(room -> DynamicTest.dynamicTest(room, () -> noClasses()
                        .that()
                        .resideInAPackage(in(room))
                        .should()
                        .dependOnClassesThat(resideInAPackage(ROOT + "..").and(not(resideInAnyPackage(allowed(room)))))
                        .allowEmptyShould(true)
                        .check(main)));
    }

    private static String[] allowed(String room) {
        List<String> packages = new ArrayList<>(List.of(in(room)));
        MAY_USE.get(room).forEach(other -> packages.add(in(other)));
        return packages.toArray(String[]::new);
    }

    /** The connectors themselves stand beside the SPI, each on its own; every other room holds what is below it. */
    private static String in(String room) {
        return room.equals("connector") ? ROOT + ".connector" : ROOT + "." + room + "..";
    }

    @Test
    void aConnectorKnowsTheSpiAndNoOtherConnector() {
        slices().matching(ROOT + ".connector.(*)..")
                .should()
                .notDependOnEachOther()
                .ignoreDependency(alwaysTrue(), resideInAPackage(ROOT + ".connector.jdbc"))
                .allowEmptyShould(true)
                .check(main);
        noClasses()
                .that()
                .resideInAPackage(ROOT + ".connector.*..")
                .should()
                .dependOnClassesThat(resideInAPackage(ROOT + "..")
                        .and(not(resideInAnyPackage(ROOT + ".connector..", ROOT + ".slicing..", ROOT + ".fault.."))))
                .allowEmptyShould(true)
                .check(main);
    }

    /** DuckDB is where every row is staged, so that every connector may read it. */
    @Test
    void aDriverIsUsedWhereItsSystemIsSpokenTo() {
        onlyIn("org.postgresql..", ROOT + ".connector.postgres..");
        onlyIn("org.sqlite..", ROOT + ".connector.sqlite..", ROOT + ".state..");
        onlyIn("org.duckdb..", ROOT + ".connector..", ROOT + ".engine..");
    }

    private static void onlyIn(String driver, String... rooms) {
        noClasses()
                .that()
                .resideOutsideOfPackages(rooms)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(driver)
                .allowEmptyShould(true)
                .check(main);
    }

    @Test
    void whatDecidesAboutRowsNeedsNothingButValues() {
        classes()
                .that()
                .resideInAPackage(ROOT + ".slicing..")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                ROOT + ".slicing..",
                                "java.lang..",
                                "java.math..",
                                "java.time..",
                                "java.util..",
                                "org.jspecify..")
                        .or(belongToAnyOf(HASHING)))
                .allowEmptyShould(true)
                .check(main);
        noClasses()
                .that()
                .resideInAPackage(ROOT + ".slicing..")
                .should()
                .callMethod(java.time.Instant.class, "now")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .allowEmptyShould(true)
                .check(main);
    }

    @Test
    void faultsNeedNothingButTheJdk() {
        classes()
                .that()
                .resideInAPackage(ROOT + ".fault..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(ROOT + ".fault..", "java..", "org.jspecify..")
                .allowEmptyShould(true)
                .check(main);
    }

    @Test
    void noPackagesUseEachOtherInACircle() {
        slices().matching(ROOT + ".(**)")
                .should()
                .beFreeOfCycles()
                .allowEmptyShould(true)
                .check(main);
    }

    @Test
    void everyClassLivesInARoom() {
        classes()
                .should()
                .resideInAnyPackage(MAY_USE.keySet().stream()
                        .map(room -> ROOT + "." + room + "..")
                        .toArray(String[]::new))
                .allowEmptyShould(true)
                .check(main);
    }

    @Test
    void theRootHoldsOnlyTestsOfTheHouse() {
        classes()
                .that()
                .resideInAPackage(ROOT)
                .should()
                .haveSimpleNameEndingWith("Test")
                .check(all);
    }

    @ParameterizedTest
    @ValueSource(strings = {"java.sql.Timestamp", "java.sql.Date", "java.sql.Time"})
    void nobodyUsesTheDatesOfJavaSql(String type) {
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName(type)
                .orShould()
                .callMethodWhere(target(rawReturnType(type)))
                .check(all);
    }

    @Test
    void everyFileIsReadInOneSitting() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src"))) {
            assertThat(files.filter(Files::isRegularFile).filter(ArchitectureTest::isTooLong))
                    .as("files of more than %d lines", LONGEST_FILE)
                    .isEmpty();
        }
    }

    private static boolean isTooLong(Path file) {
        // One byte is one character here: files of data need not be text.
        try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
            return lines.count() > LONGEST_FILE;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
