package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BackfillTest {

    private static final CursorType BIGINT = CursorType.of(CursorType.Kind.BIGINT);

    @Test
    void theNamesAreThoseOfTheReference() {
        BackfillIdentity identity = identity(plan("timestamptz", "2026-01-01", "2026-01-06", "1d", null));

        assertThat(identity.backfillId()).isEqualTo("d7a7c6e21e0d8ecb");
        assertThat(identity.plan().chunks())
                .extracting(chunk -> chunk.id() + " " + chunk.spelled() + " " + identity.runId(chunk))
                .containsExactly(
                        "000000 [2026-01-01T00:00:00+00:00 → 2026-01-02T00:00:00+00:00) 2fe712c1ca2c99a0",
                        "000001 [2026-01-02T00:00:00+00:00 → 2026-01-03T00:00:00+00:00) 91f2aafcc3320c98",
                        "000002 [2026-01-03T00:00:00+00:00 → 2026-01-04T00:00:00+00:00) 559264ef1526bd83",
                        "000003 [2026-01-04T00:00:00+00:00 → 2026-01-05T00:00:00+00:00) cf57c9a304c61cb8",
                        "000004 [2026-01-05T00:00:00+00:00 → 2026-01-06T00:00:00+00:00) 2398048a9866e857");
    }

    @Test
    void aWeekInUtcHasOneNameHoweverItIsSpelled() {
        assertThat(List.of("7d", "1w", "168h"))
                .extracting(window -> identity(plan("timestamptz", "2026-03-01", "2026-04-05", window, "UTC"))
                        .backfillId())
                .containsOnly(identity(plan("timestamptz", "2026-03-01", "2026-04-05", "7d", null))
                        .backfillId());
    }

    @Test
    void aDayInBerlinIsNot24Hours() {
        Backfill days = plan("timestamptz", "2026-03-28", "2026-03-31", "1d", "Europe/Berlin");
        Backfill hours = plan("timestamptz", "2026-03-28", "2026-03-31", "24h", "Europe/Berlin");

        assertThat(identity(days).backfillId()).isNotEqualTo(identity(hours).backfillId());
        assertThat(days).isNotEqualTo(hours);
        assertThat(days.chunk(1).to()).isNotEqualTo(hours.chunk(1).to());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Etc/UTC", "GMT", "Etc/GMT0", "Zulu"})
    void utcByAnotherNameIsThePlanInUtc(String zone) {
        Backfill named = plan("timestamptz", "2026-01-01", "2026-02-01", "1d", zone);

        assertThat(named)
                .isEqualTo(plan("timestamptz", "2026-01-01", "2026-02-01", "1d", null))
                .hasSameHashCodeAs(plan("timestamptz", "2026-01-01", "2026-02-01", "1d", null));
        assertThat(identity(named).text()).doesNotContain("tz=");
    }

    @Test
    void daysFromADayWhoseMidnightIsSkippedBeginWhereDaysBegin() {
        Backfill byDate = plan("timestamptz", "2026-09-06", "2026-09-09", "1d", "America/Santiago");
        Backfill byTime =
                plan("timestamptz", "2026-09-06T01:00:00-03:00", "2026-09-09T00:00:00-03:00", "1d", "America/Santiago");

        assertThat(byDate.chunks())
                .extracting(Chunk::spelled)
                .containsExactly(
                        "[2026-09-06T04:00:00+00:00 → 2026-09-07T03:00:00+00:00)",
                        "[2026-09-07T03:00:00+00:00 → 2026-09-08T03:00:00+00:00)",
                        "[2026-09-08T03:00:00+00:00 → 2026-09-09T03:00:00+00:00)");
        assertThat(byTime).as("one name, so one cut").isEqualTo(byDate);
        assertThat(byTime.chunks()).isEqualTo(byDate.chunks());
    }

    @ParameterizedTest
    @CsvSource({
        "America/Havana, 2026-10-31, 1d, 2026-11-01T04:00:00Z",
        "America/Havana, 2026-10-01, 1mo, 2026-11-01T04:00:00Z",
        "Europe/Berlin, 2026-10-24T02:30:00+02:00, 1d, 2026-10-25T00:30:00Z"
    })
    void aStepThatEndsAtATimeThatComesTwiceEndsAtTheFirst(String zone, String from, String window, String bound) {
        Backfill plan = plan("timestamptz", from, "2026-12-01", window, zone);

        assertThat(plan.chunk(0).to().toLocalDateTime().toInstant(ZoneOffset.UTC))
                .isEqualTo(bound);
    }

    @Test
    void aDateWhoseMidnightComesTwiceIsTheFirst() {
        assertThat(plan("timestamptz", "2026-11-01", "2026-11-02", null, "America/Havana"))
                .hasToString("[2026-11-01T04:00:00+00:00 → 2026-11-02T05:00:00+00:00) in America/Havana");
    }

    @Test
    void daysFromTheSecondOfTwoEqualTimesGoOnAtTheFirstThatFollows() {
        Backfill plan = plan("timestamptz", "2026-10-25T02:30:00+01:00", "2026-10-27", "1d", "Europe/Berlin");

        assertThat(plan.chunks())
                .extracting(Chunk::spelled)
                .containsExactly(
                        "[2026-10-25T01:30:00+00:00 → 2026-10-26T01:30:00+00:00)",
                        "[2026-10-26T01:30:00+00:00 → 2026-10-26T23:00:00+00:00)");
    }

    @ParameterizedTest
    @CsvSource({
        "timestamptz, 2026-01-01T00:00:00, , 2026-01-01T00:00:00Z",
        "timestamp, 2026-01-01T00:00:00.5, UTC, 2026-01-01T00:00:00.5Z",
        "timestamptz, 2026-01-01T00:00:00, Europe/Berlin, '2026-01-01T00:00:00+01:00 for Europe/Berlin, 2026-01-01T00:00:00Z for UTC'",
        "timestamptz, 2026-10-25T02:30:00, Europe/Berlin, '2026-10-25T02:30:00+02:00 or 2026-10-25T02:30:00+01:00 for Europe/Berlin, 2026-10-25T02:30:00Z for UTC'",
        "timestamptz, 2026-03-29T02:30:00, Europe/Berlin, 2026-03-29T02:30:00Z",
        "timestamptz, 1880-01-01T00:00:00, Europe/Berlin, 1880-01-01T00:00:00Z"
    })
    void aTimeWithoutAnOffsetIsRefusedWithTheSpellingToUse(
            String type, String from, @Nullable String zone, String spelling) {
        assertRefused(
                type,
                from,
                "2027-01-01",
                null,
                zone,
                "from",
                "'" + from + "' has no offset, so it names no instant: write " + spelling);
    }

    @ParameterizedTest
    @CsvSource({
        "from, timestamptz, monday, 2026-01-01, , , 'write a date, as in 2026-01-31, or a time with its offset'",
        "from, timestamptz, 2026-01-01T00:00Z, 2026-02-01, , , 'write a date, as in 2026-01-31, or a time with its offset'",
        "to, timestamp, 2026-01-01, 2026-02-30, , , is no day of the calendar",
        "to, timestamptz, 2026-01-01, 2026-02-03T25:00:00Z, , , is no time of day",
        "to, date, 2026-01-01, 2026-01-02T00:00:00Z, , , 'write yyyy-MM-dd, as in 2026-01-31'",
        "to, bigint, 5, 5, , , is not above from 5",
        "to, timestamptz, 2026-01-01T01:00:00+01:00, 2026-01-01, , , 'to 2026-01-01T00:00:00+00:00 is not above from 2026-01-01T00:00:00+00:00'",
        "to, tinyint, 0, 128, , , 'outside the range of tinyint, -128 to 127'",
        "window, timestamptz, 2026-01-01, 2026-02-01, 500ms, , one of s m h d w mo",
        "window, bigint, 0, 100001, 1, , '1 cuts the range into more than the 100,000 chunks'",
        "window, timestamptz, 2026-01-01, 2026-01-03, 1s, , take a longer window",
        "window, date, 0001-01-01, 9999-12-31, 1d, , more than the 100,000 chunks",
        "timezone, timestamptz, 2026-01-01, 2026-02-01, , Mars/Olympus, 'write its IANA name, as in Europe/Berlin or America/New_York, or UTC'",
        "timezone, timestamptz, 2026-01-01, 2026-02-01, , +02:00, write its IANA name",
        "timezone, timestamptz, 2026-01-01, 2026-02-01, , UTC+2, write its IANA name",
        "timezone, timestamptz, 2026-01-01, 2026-02-01, , Z, write its IANA name",
        "timezone, timestamptz, 2026-01-01, 2026-02-01, , europe/berlin, write its IANA name",
        "timezone, timestamptz, 2026-01-01, 2026-02-01, , '', write its IANA name",
        "timezone, date, 2026-01-01, 2026-02-01, , UTC, leave it out",
        "timezone, bigint, 0, 10, , Europe/Berlin, leave it out"
    })
    void whatIsNoBackfillIsRefusedAtItsKey(
            String key,
            String type,
            String from,
            String to,
            @Nullable String window,
            @Nullable String zone,
            String taught) {
        assertRefused(type, from, to, window, zone, key, taught);
    }

    @Test
    void aStepWiderThanTheTypeIsOneChunk() {
        String wide = "9".repeat(30);

        assertThat(plan("timestamptz", "0001-01-01", "9999-12-31", wide + "d", "Europe/Berlin")
                        .count())
                .isOne();
        assertThat(plan("timestamp", "0001-01-01", "9999-12-31", wide + "mo", null)
                        .count())
                .isOne();
        assertThat(plan("timestamp", "0001-01-01", "9999-12-31", wide + "h", null)
                        .count())
                .isOne();
        assertThat(plan("date", "0001-01-01", "9999-12-31", wide + "w", null).count())
                .isOne();
        assertThat(plan("tinyint", "-128", "127", wide, null).count()).isOne();
    }

    @Test
    void aPlanReachesToTheEndsOfItsType() {
        for (CursorType type : CursorTypes.ALL) {
            Backfill whole = new Backfill(type, type.least(), type.greatest(), null, ZoneOffset.UTC);
            assertThat(whole.chunks()).containsExactly(new Chunk(0, type.least(), type.greatest()));
            if (type.isTime()) {
                ChunkStep step = ChunkStep.parse(type, "12000mo");
                Backfill ages = new Backfill(type, type.least(), type.greatest(), step, ZoneOffset.UTC);
                assertThat(ages.chunk(ages.count() - 1).to()).isEqualTo(type.greatest());
            }
        }
    }

    @Test
    void theMostChunksAreCutToTheLast() {
        Backfill plan = new Backfill(
                BIGINT, BIGINT.units(0), BIGINT.units(Backfill.MOST), ChunkStep.parse(BIGINT, "1"), ZoneOffset.UTC);

        assertThat(plan.count()).isEqualTo(Backfill.MOST);
        assertThat(plan.isLarge()).isTrue();
        assertThat(plan.chunk(99_999)).isEqualTo(new Chunk(99_999, BIGINT.units(99_999), BIGINT.units(100_000)));
        assertThat(plan.chunk(99_999).id()).isEqualTo("099999");
        assertThatThrownBy(() -> plan.chunk(100_000)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void valuesOfAnotherTypeAreAProgrammingError() {
        CursorType date = CursorType.of(CursorType.Kind.DATE);
        ZoneId berlin = ZoneId.of("Europe/Berlin");

        assertThatThrownBy(() -> new Backfill(date, BIGINT.units(0), BIGINT.units(1), null, ZoneOffset.UTC))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Backfill(date, date.units(0), date.units(1), null, berlin))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Chunk(0, date.units(1), date.units(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aPlanIsShownWithItsZone() {
        assertThat(plan("timestamp", "2026-01-01T00:00:00.25Z", "2026-01-02", "6h", "Europe/Berlin"))
                .hasToString("[2026-01-01T00:00:00.250000+00:00 → 2026-01-01T23:00:00+00:00) by 6h in Europe/Berlin");
        assertThat(plan("bigint", "-5", "10", null, null)).hasToString("[-5 → 10)");
    }

    private static void assertRefused(
            String type,
            String from,
            String to,
            @Nullable String window,
            @Nullable String zone,
            String key,
            String message) {
        assertThatExceptionOfType(Backfill.BackfillException.class)
                .isThrownBy(() -> plan(type, from, to, window, zone))
                .withMessageContaining(message)
                .extracting(Backfill.BackfillException::key)
                .isEqualTo(key);
    }

    private static Backfill plan(String type, String from, String to, @Nullable String window, @Nullable String zone) {
        return Backfill.parse(CursorType.named(type).orElseThrow(), new Backfill.Text(from, to, window, zone));
    }

    private static BackfillIdentity identity(Backfill plan) {
        return new BackfillIdentity("web_events", plan, null, null);
    }
}
