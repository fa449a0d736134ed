package dev.weir.connector.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fault.RunException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a broken stream can do to the decoder: nothing but the failure that is documented. It never hangs, never reads past
 * a field, never tells another number of rows than the server.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CopyFuzzTest {

    private static final int HEADER = 19;
    private static final int[] ODD = {-2, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 30, 0, 1, 7, 65_536, -1};

    private static final byte[] RECORDED = RecordedCopy.bytes();

    private static List<List<String>> read(List<byte[]> messages, long rows) {
        List<ReadColumn> columns = RecordedCopy.columns();
        return new RecordedCells(columns.size()).all(new RecordedCopy(messages, rows).read(columns));
    }

    static List<byte[]> cut(byte[] bytes, Random random) {
        List<byte[]> messages = new ArrayList<>();
        int longest = 1 + random.nextInt(random.nextBoolean() ? 20 : 2_000);
        for (int from = 0; from < bytes.length; ) {
            int to = Math.min(bytes.length, from + random.nextInt(longest + 1));
            messages.add(Arrays.copyOfRange(bytes, from, to));
            from = to;
        }
        return messages;
    }

    @Test
    void whereMessagesAreCutChangesNothing() {
        List<List<String>> whole = read(List.of(RECORDED), RecordedCopy.ROWS);
        assertThat(whole).hasSize(RecordedCopy.ROWS);
        assertThat(whole.get(RecordedCopy.ROWS - 1)).containsOnly("NULL");
        for (int seed = 0; seed < 500; seed++) {
            assertThat(read(cut(RECORDED, new Random(seed)), RecordedCopy.ROWS))
                    .as("seed %s", seed)
                    .isEqualTo(whole);
        }
    }

    @Test
    void noBrokenStreamDoesMoreThanFail() {
        int whole = 0;
        for (int seed = 0; seed < 15_000; seed++) {
            Random random = new Random(seed);
            List<byte[]> messages = cut(broken(random), random);
            try {
                assertThat(read(messages, RecordedCopy.ROWS)).hasSize(RecordedCopy.ROWS);
                whole++;
            } catch (RunException e) {
                assertThat(e).as("seed %s", seed).hasMessageMatching("(?s)WR05(01|24) pg\\.t: .*");
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
        // Many a flipped bit is another value; were every stream refused, nothing would have been tried.
        assertThat(whole).isBetween(500, 12_000);
    }

    static byte[] broken(Random random) {
        byte[] bytes = RECORDED.clone();
        int times = 1 + random.nextInt(3);
        for (int i = 0; i < times && bytes.length > 4; i++) {
            int at = random.nextInt(bytes.length - 3);
            switch (random.nextInt(6)) {
                case 0 -> bytes = Arrays.copyOf(bytes, at);
                case 1 -> bytes[at] = (byte) random.nextInt();
                case 2 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 3 -> ByteBuffer.wrap(bytes).putInt(at, ODD[random.nextInt(ODD.length)]);
                case 4 -> bytes = spliced(bytes, at, at + 1 + random.nextInt(Math.min(40, bytes.length - at)), false);
                default -> bytes = spliced(bytes, at, at + 1 + random.nextInt(Math.min(40, bytes.length - at)), true);
            }
        }
        return bytes;
    }

    /** Without a part, or with it twice. */
    private static byte[] spliced(byte[] bytes, int from, int to, boolean twice) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(bytes, 0, twice ? to : from);
        out.write(bytes, twice ? from : to, bytes.length - (twice ? from : to));
        return out.toByteArray();
    }

    @Test
    void aFieldOfAnotherLengthNeverReadsBeyondItself() {
        List<ReadColumn> columns = RecordedCopy.columns();
        ByteBuffer recorded = ByteBuffer.wrap(RECORDED).position(HEADER);
        for (int row = 0; row < RecordedCopy.ROWS; row++) {
            assertThat(recorded.getShort()).isEqualTo((short) columns.size());
            for (ReadColumn column : columns) {
                byte[] field = new byte[Math.max(0, recorded.getInt(recorded.position()))];
                recorded.getInt();
                recorded.get(field);
                for (int length = 0; length < Math.min(field.length, 60) + 3; length++) {
                    alone(column, Arrays.copyOf(field, length));
                }
            }
        }
    }

    /** The field ends where its message ends, so that reading on is no secret. */
    private static void alone(ReadColumn column, byte[] field) {
        ByteBuffer message = ByteBuffer.allocate(HEADER + 6 + field.length);
        message.put(RECORDED, 0, HEADER)
                .putShort((short) 1)
                .putInt(field.length)
                .put(field);
        RecordedCopy copy = new RecordedCopy(List.of(message.array(), new byte[] {-1, -1}), 1);
        try {
            assertThat(new RecordedCells(1).all(copy.read(List.of(column)))).hasSize(1);
            assertThat(column.reading().form().fits(field, 0, field.length)).isTrue();
        } catch (RunException e) {
            assertThat(e).hasMessageContaining("pg.t");
        }
    }

    @Test
    void arraysOfAbsurdShapesAreRefused() {
        ReadColumn array = RecordedCopy.columns().stream()
                .filter(column -> column.reading().form() == Form.ARRAY)
                .findFirst()
                .orElseThrow();
        for (int dimensions : ODD) {
            for (int size : ODD) {
                for (int length : ODD) {
                    ByteBuffer field = ByteBuffer.allocate(28);
                    field.putInt(dimensions)
                            .putInt(0)
                            .putInt(23)
                            .putInt(size)
                            .putInt(1)
                            .putInt(length)
                            .putInt(7);
                    alone(array, field.array());
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, RecordedCopy.ROWS - 1, RecordedCopy.ROWS + 1})
    void anotherCountThanTheServersFailsTheRead(long rows) {
        assertThatThrownBy(() -> read(List.of(RECORDED), rows))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("the server sent " + rows + " rows and " + RecordedCopy.ROWS + " came");
    }

    @Test
    void aLongRowInManySmallMessagesComesInTimeOfItsLength() {
        byte[] field = new byte[16 << 20];
        ByteBuffer stream = ByteBuffer.allocate(HEADER + 8 + field.length);
        stream.put(RECORDED, 0, HEADER)
                .putShort((short) 1)
                .putInt(field.length)
                .put(field)
                .putShort((short) -1);
        List<byte[]> messages = new ArrayList<>();
        for (int from = 0; from < stream.capacity(); from += 100) {
            messages.add(Arrays.copyOfRange(stream.array(), from, Math.min(stream.capacity(), from + 100)));
        }
        ReadColumn text = RecordedCopy.columns().get(10);
        assertThat(new RecordedCells(1).all(new RecordedCopy(messages, 1).read(List.of(text))))
                .hasSize(1);
    }
}
