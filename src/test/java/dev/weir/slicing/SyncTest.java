package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SyncTest {

    @ParameterizedTest
    @CsvSource({
        "bigint, 1h,,,, max_window",
        "bigint, 0,,,, max_window",
        "bigint, -5,,,, max_window",
        "bigint, 1.5,,,, max_window",
        "bigint,, abc,,, initial",
        "bigint,,, now,, until",
        "bigint,,,, 1h, delay",
        "bigint,, 10, 9,, until",
        "date, 6h,,,, max_window",
        "date,, 2026-01-01T00:00:00,,, initial",
        "date,,,, 24h, delay",
        "date,, 2026-01-02, 2026-01-01,, until",
        "timestamp, 10,,,, max_window",
        "timestamp, 1mo,,,, max_window",
        "timestamp,,,, -1h, delay",
        "timestamp,, now,,, initial",
        "timestamptz,,, tomorrow,, until",
    })
    void aContradictionNamesItsKey(
            String type, String maxWindow, String initial, String until, String delay, String key) {
        Sync.Text text =
                new Sync.Text(null, maxWindow, initial, until, delay, null, null, null, null, null, null, null);

        assertThatExceptionOfType(Sync.SyncException.class)
                .isThrownBy(() -> Sync.parse(CursorType.named(type).orElseThrow(), text))
                .returns(key, Sync.SyncException::key);
    }

    @ParameterizedTest
    @CsvSource({
        "bigint, auto,,,, max_window",
        "bigint, auto, 30s, 10,, target_rows",
        "bigint, auto, 30,,, target",
        "bigint, auto, 999ms,,, target",
        "bigint, auto, 25h,,, target",
        "bigint, auto,, 0,, target_rows",
        "bigint, auto,, 1.5,, target_rows",
        "bigint, auto,, 9999999999999999999,, target_rows",
        "bigint, auto, 30s,, 1h, max_window_limit",
        "date, auto,, 10, 24h, max_window_limit",
        "bigint, 10, 30s,,, target",
        "bigint,,, 10,, target_rows",
        "bigint, 10,,, 20, max_window_limit",
    })
    void aChosenWidthNeedsOneTargetAndNothingElseTakesOne(
            String type, String maxWindow, String target, String rows, String limit, String key) {
        Sync.Text text = new Sync.Text(null, maxWindow, null, null, null, null, null, null, null, target, rows, limit);

        assertThatExceptionOfType(Sync.SyncException.class)
                .isThrownBy(() -> Sync.parse(CursorType.named(type).orElseThrow(), text))
                .returns(key, Sync.SyncException::key);
    }

    @Test
    void aChosenWidthHasATargetAndMayHaveALimit() {
        CursorType type = CursorType.of(CursorType.Kind.TIMESTAMP);
        Sync.Text text = new Sync.Text(null, "auto", null, null, null, null, null, null, null, "90m", null, "1w");

        Sync sync = Sync.parse(type, text);

        assertThat(sync.target()).hasToString("90m");
        assertThat(sync.maxWindow()).hasToString("7d");
        AutoWindow window = new AutoWindow(sync.target(), sync.maxWindow(), Step.parse(type, "8d"));
        assertThat(sync.within(window).maxWindow()).hasToString("7d");
        assertThat(sync.within(window).target()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "bigint, epoch_ns,, cursor_unit",
        "bigint, ms,, cursor_unit",
        "timestamptz, epoch_ms,, cursor_unit",
        "date, epoch_s,, cursor_unit",
        "bigint, epoch_ms, 1767225600000, initial",
        "'decimal(18,6)', epoch_s, 2026-02-30, initial",
    })
    void aUnitIsOneOfTimeAndOfNumbers(String type, String unit, String initial, String key) {
        Sync.Text text = new Sync.Text(unit, null, initial, null, null, null, null, null, null, null, null, null);

        assertThatExceptionOfType(Sync.SyncException.class)
                .isThrownBy(() -> Sync.parse(CursorType.named(type).orElseThrow(), text))
                .returns(key, Sync.SyncException::key);
    }

    @Test
    void numbersWithAUnitAreWindowedAsTimes() {
        CursorType numbers = CursorType.of(CursorType.Kind.BIGINT);
        Sync.Text text = new Sync.Text(
                "epoch_ms", "1h", "2026-01-01T01:00:00+01:00", "now", "10m", "2h", null, null, null, null, null, null);

        Sync sync = Sync.parse(numbers, text);

        assertThat(sync.type()).hasToString("epoch_ms");
        assertThat(sync.initial()).hasToString("2026-01-01T00:00:00.000000Z");
        assertThat(sync.initial().floor(numbers)).map(CursorValue::toString).contains("1767225600000");
        assertThat(sync.maxWindow().units()).isEqualTo(3_600_000_000L);
        assertThat(sync.until()).isEqualTo(new Until.Now());
    }

    @Test
    void aBlockWithoutKeysIsOneWindowWithoutAStop() {
        CursorType type = CursorType.of(CursorType.Kind.BIGINT);

        Sync sync =
                Sync.parse(type, new Sync.Text(null, null, null, null, null, null, null, null, null, null, null, null));

        assertThat(sync).isEqualTo(Sync.unbounded(type));
        assertThat(sync.hasStop()).isFalse();
    }

    @Test
    void untilMayEqualInitial() {
        Sync sync = Sync.parse(
                CursorType.of(CursorType.Kind.BIGINT),
                new Sync.Text(null, "1", "5", "5", null, null, null, null, null, null, null, null));

        assertThat(sync.hasStop()).isTrue();
    }

    @Test
    void aDelayOfDatesIsWholeDays() {
        Sync sync = Sync.parse(
                CursorType.of(CursorType.Kind.DATE),
                new Sync.Text(null, null, null, "now", "1w", null, null, null, null, null, null, null));

        assertThat(sync.delayMicros()).isEqualTo(7L * 86_400_000_000L);
    }
}
