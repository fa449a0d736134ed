package dev.weir.connector.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connector.RawRows;
import dev.weir.fault.RunException;
import dev.weir.slicing.CursorType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a broken stream can do to rows that are not decoded: nothing but the failure that is documented. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RawReadTest {

    private static final byte[] RECORDED = RecordedCopy.bytes();

    @TempDir
    Path folder;

    private RawRows read(List<byte[]> messages, long rows) {
        List<ReadColumn> columns = RecordedCopy.columns();
        CursorType bigint = CursorType.printed("bigint").orElseThrow();
        CursorDecoder cursor = new CursorDecoder(3, bigint, 8, Binary::getLong, 0);
        ReadPlan plan = new ReadPlan("t", columns, null, true);
        return new RawRead(RecordedCopy.session(), "pg.t", plan, cursor, folder)
                .all(CopyFrames.Pieces.of(new RecordedCopy(messages, rows)), count -> {});
    }

    private static byte[] kept(RawRows rows) throws IOException {
        try (Spool.Pieces pieces = ((RawSlice) rows).pieces()) {
            byte[] piece = pieces.next();
            assertThat(pieces.next()).isNull();
            return piece;
        }
    }

    @Test
    void whereMessagesAreCutChangesNothing() throws IOException {
        for (int seed = 0; seed < 500; seed++) {
            RawRows rows = read(CopyFuzzTest.cut(RECORDED, new Random(seed)), RecordedCopy.ROWS);
            assertThat(kept(rows)).as("seed %s", seed).isEqualTo(RECORDED);
            assertThat(rows.rows()).isEqualTo(RecordedCopy.ROWS);
            assertThat(rows.max().orElseThrow()).hasToString("9223372036854775807");
            assertThat(rows.nulls("c3")).isEqualTo(1);
        }
    }

    @Test
    void noBrokenStreamDoesMoreThanFail() {
        int whole = 0;
        for (int seed = 0; seed < 15_000; seed++) {
            Random random = new Random(seed);
            List<byte[]> messages = CopyFuzzTest.cut(CopyFuzzTest.broken(random), random);
            try {
                assertThat(read(messages, RecordedCopy.ROWS).rows()).isEqualTo(RecordedCopy.ROWS);
                whole++;
            } catch (RunException e) {
                assertThat(e).as("seed %s", seed).hasMessageMatching("(?s)WR0501 pg\\.t: the COPY of the slice .*");
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
        assertThat(whole).isBetween(500, 14_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, RecordedCopy.ROWS - 1, RecordedCopy.ROWS + 1})
    void anotherCountThanTheServersFailsTheRead(long rows) {
        assertThatThrownBy(() -> read(List.of(RECORDED), rows))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("the server sent " + rows + " rows and " + RecordedCopy.ROWS + " came");
    }

    @ParameterizedTest
    @CsvSource({"2, without their end mark", "0, came after the end mark"})
    void theEndMarkIsTheEnd(int missing, String says) {
        byte[] more = Arrays.copyOf(RECORDED, RECORDED.length + 1);
        byte[] cut = missing == 0 ? more : Arrays.copyOf(RECORDED, RECORDED.length - missing);
        assertThatThrownBy(() -> read(List.of(cut), RecordedCopy.ROWS)).hasMessageContaining(says);
    }

    @Test
    void aFolderThatCannotBeWrittenFailsTheRead() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        try (Spool spool = new Spool(file)) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 30; i++) {
                            spool.write(new byte[1 << 20]);
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @CsvSource({"64000000, 1", "268435456, 4", "17179869184, 24"})
    void aSmallHeapKeepsFewBlocks(long heap, int blocks) {
        assertThat(Spool.inMemory(heap)).isEqualTo(blocks);
    }
}
