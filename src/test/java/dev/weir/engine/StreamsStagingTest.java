package dev.weir.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connector.Column;
import dev.weir.connector.ColumnWriter;
import dev.weir.connector.Entity;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.SliceRead;
import dev.weir.connector.TableName;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Slices that come in several streams. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StreamsStagingTest {

    private static final ReadRequest REQUEST = new ReadRequest(
            new Entity.Table(TableName.parse("t")),
            List.of(new Column("id", "BIGINT"), new Column("at", "TIMESTAMP")),
            Optional.of(new Cursor("id", CursorType.of(CursorType.Kind.BIGINT))));

    private DuckEngine engine;

    @BeforeAll
    void start(@TempDir Path folder) {
        engine = DuckEngine.start(
                EngineSettings.spillingTo(folder.resolve("spill")).withThreads(3));
    }

    @AfterAll
    void stop() {
        engine.close();
    }

    private static SliceRead streams(SliceRead.Vectors... each) {
        return new SliceRead.Streams(List.of(each));
    }

    @Test
    void stagesTheRowsOfAllEmptyOnesAmongThem() {
        List<Long> heard = new ArrayList<>();
        List<Numbers> each = new ArrayList<>();
        for (int rows : List.of(0, 1, 300_000, 2_048, 0, 50_000, 7)) {
            each.add(new Numbers(rows));
        }
        StagedSource staged = engine.stage("src", REQUEST, new SliceRead.Streams(each), heard::add);

        assertThat(staged.rows()).isEqualTo(352_056);
        assertThat(staged.max().orElseThrow()).hasToString("299999");
        assertThat(heard).isSorted().doesNotHaveDuplicates().endsWith(352_056L);
        assertThat(engine.run("distinct", "SELECT DISTINCT id FROM " + staged.relation())
                        .rows())
                .isEqualTo(300_000);
    }

    @Test
    void noTwoThreadsFillFromOneStream() {
        Set<SliceRead.Vectors> busy = ConcurrentHashMap.newKeySet();
        AtomicBoolean met = new AtomicBoolean();
        Set<SliceRead.Vectors> each = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            each.add(new Numbers(100_000) {
                @Override
                public int fill(ColumnWriter writer) {
                    met.compareAndSet(false, !busy.add(this));
                    int filled = super.fill(writer);
                    busy.remove(this);
                    return filled;
                }
            });
        }

        assertThat(engine.stage("src", REQUEST, new SliceRead.Streams(List.copyOf(each)), StageListener.NONE)
                        .rows())
                .isEqualTo(300_000);
        assertThat(met).isFalse();
    }

    @Test
    void theFailureOfOneIsThatOfTheRead() {
        RunException failure = new RunException(Code.SOURCE, "pg.orders", "the connection broke", "run again");
        SliceRead.Vectors broken = new Numbers(10_000) {
            @Override
            public int fill(ColumnWriter writer) {
                if (next > 4_000) {
                    throw failure;
                }
                return super.fill(writer);
            }
        };
        SliceRead read = streams(new Numbers(1_000_000), broken, new Numbers(5));

        assertThatThrownBy(() -> engine.stage("failing", REQUEST, read, StageListener.NONE))
                .isSameAs(failure);
        assertThatThrownBy(() -> engine.run("out", "SELECT * FROM staging.failing"))
                .isInstanceOf(RunException.class);
    }
}
