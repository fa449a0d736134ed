package dev.weir.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connector.Entity;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.TableName;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In child processes, since heap and zone are set at a process's start. */
class SmallHeapTest {

    @TempDir
    Path folder;

    @Test
    void twoMillionRowsAndAFiftyMegabyteValuePassInASmallHeap() throws Exception {
        Process child = ChildJvm.start(List.of("-Xmx256m"), SmallHeapTest.class, "large", folder.toString());

        assertThat(ChildJvm.output(child)).contains("rows 2000000", "bytes 314572800");
        assertThat(child.exitValue()).isZero();
    }

    @Test
    void runsInUtcWhateverTheZoneOfTheProcess() throws Exception {
        for (String zone : List.of("Pacific/Kiritimati", "America/Los_Angeles", "Asia/Kolkata")) {
            Process child = ChildJvm.start(
                    List.of("-Duser.timezone=" + zone),
                    SmallHeapTest.class,
                    "zone",
                    folder.resolve(zone).toString());

            assertThat(ChildJvm.output(child))
                    .contains("UTC|2026-10-25 00:30:00+00|2026-01-01 00:00:00|1767225600000000");
        }
    }

    public static void main(String[] arguments) throws Exception {
        try (DuckEngine engine =
                DuckEngine.start(EngineSettings.spillingTo(Path.of(arguments[1]).resolve("spill")))) {
            if (arguments[0].equals("large")) {
                ReadRequest request =
                        new ReadRequest(new Entity.Table(TableName.parse("t")), List.of(), Optional.empty());
                StagedSource rows = engine.stage("a", request, new Numbers(2_000_000), StageListener.NONE);
                System.out.println("rows " + rows.rows());
                byte[] value = new byte[50 << 20];
                Arrays.fill(value, (byte) 'x');
                engine.stage("b", request, new StagingTest.Texts(6, value), StageListener.NONE);
                System.out.println("bytes " + ask(engine, "SELECT sum(strlen(s)) FROM staging.b"));
            } else {
                System.out.println(ask(
                        engine,
                        "SELECT current_setting('TimeZone') || '|' || '2026-10-25T00:30Z'::TIMESTAMPTZ || '|' ||"
                                + " make_timestamptz(1767225600000000)::TIMESTAMP || '|' ||"
                                + " epoch_us('2026-01-01'::TIMESTAMPTZ)"));
            }
        }
    }

    private static String ask(DuckEngine engine, String sql) throws Exception {
        try (Connection connection = engine.connect();
                ResultSet result = connection.createStatement().executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }
}
