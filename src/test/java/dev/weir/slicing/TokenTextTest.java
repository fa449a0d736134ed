package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What tokens stand for, and which chunks they can mean. Source of the rules: contract, section 6. */
class TokenTextTest {

    private static final CursorType TIMESTAMPTZ = CursorType.of(CursorType.Kind.TIMESTAMPTZ);
    private static final CursorType TIMESTAMP = CursorType.of(CursorType.Kind.TIMESTAMP);
    private static final CursorType DATE = CursorType.of(CursorType.Kind.DATE);
    private static final CursorType BIGINT = CursorType.of(CursorType.Kind.BIGINT);

    /** A day of summer in Berlin. */
    private static final Moment.OfChunk DAY =
            chunk(TIMESTAMPTZ, "2026-06-06T22:00:00Z", "2026-06-07T22:00:00Z", "Europe/Berlin");

    private static Moment.OfChunk chunk(CursorType type, String from, String to, String zone) {
        return new Moment.OfChunk("000012", type.parse(from), type.parse(to), ZoneId.of(zone));
    }

    private static TokenText text(String... tokens) {
        List<TokenText.Part> parts = new ArrayList<>();
        for (String token : tokens) {
            parts.add(new TokenText.Plain("<"));
            parts.add(Token.named(token).orElseThrow());
        }
        return new TokenText(parts);
    }

    private static String value(String token, Moment moment) {
        return Token.named(token).orElseThrow().render(moment);
    }

    @ParameterizedTest
    @CsvSource({
        "backfill.start, 2026-06-06T22:00:00+00:00",
        "backfill.end, 2026-06-07T22:00:00+00:00",
        "backfill.start_date, 2026-06-07",
        "backfill.end_date, 2026-06-08",
        "backfill.start_unix, 1780783200",
        "backfill.end_unix, 1780869600",
        "backfill.unit, 000012",
        "now.date, 2026-06-07",
        "now.datetime, 2026-06-07T00:00:00",
        "now.iso, 2026-06-07T00:00:00+02:00",
        "now.year, 2026",
        "now.month, 06",
        "now.day, 07",
        "now.hour, 00",
        "now.minute, 00",
        "now.second, 00",
        "now.unix, 1780783200",
        "now.strftime.%Y/%m/%d, 2026/06/07",
        "now.strftime.dt=%Y%m%d%%, dt=20260607%",
        "now.strftime.%-d.%-m. %H:%M:%S, 7.6. 00:00:00",
        "now.strftime.%F %T.%f, 2026-06-07 00:00:00.000000",
        "now.strftime.%j %-j %y %b %B %a %A, 158 158 26 Jun June Sun Sunday",
        "now.strftime.%I %-I %p %-H %-M %-S, 12 12 AM 0 0 0",
        "now.strftime.%z %Z %s, +0200 CEST 1780783200",
    })
    void aTokenOfAChunkHasThisValueInItsZone(String token, String value) {
        assertThat(value(token, DAY)).isEqualTo(value);
    }

    @Test
    void aBoundIsSpelledByTheTypeOfTheCursor() {
        Moment timestamp = chunk(TIMESTAMP, "2026-06-06T22:00:00", "2026-06-07T00:00:00.5", "Europe/Berlin");
        assertThat(value("backfill.start", timestamp)).isEqualTo("2026-06-06T22:00:00");
        assertThat(value("backfill.end", timestamp)).isEqualTo("2026-06-07T00:00:00.500000");
        assertThat(value("backfill.start_date", timestamp)).isEqualTo("2026-06-07");
        Moment date = chunk(DATE, "2026-06-06", "2026-06-07", "Europe/Berlin");
        assertThat(value("backfill.start", date)).isEqualTo("2026-06-06");
        assertThat(value("backfill.start_date", date)).isEqualTo("2026-06-06");
        assertThat(value("now.iso", date)).isEqualTo("2026-06-06T00:00:00+00:00");
        Moment numbers = chunk(BIGINT, "-10", "20", "UTC");
        assertThat(value("backfill.start", numbers)).isEqualTo("-10");
        assertThat(value("backfill.end", numbers)).isEqualTo("20");
        assertThat(value("backfill.unit", numbers)).isEqualTo("000012");
        Moment decimals = chunk(CursorType.decimal(10, 2), "1.50", "2.00", "UTC");
        assertThat(value("backfill.start", decimals)).isEqualTo("1.5");
    }

    @Test
    void nowIsInARunItsStartInUtc() {
        Moment run = new Moment.OfRun(Instant.parse("2026-09-02T23:15:00.118Z"));

        assertThat(text("now.date", "now.iso", "now.strftime.%H %Z").render(run))
                .isEqualTo("<2026-09-02<2026-09-02T23:15:00.118000+00:00<23 UTC");
        assertThat(text("now.date").ofBackfill()).isEmpty();
        assertThat(text("now.date", "backfill.unit").ofBackfill().orElseThrow()).hasToString("${backfill.unit}");
        assertThatThrownBy(() -> text("backfill.unit").render(run)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void textIsNeverReadAsAToken() {
        TokenText text = TokenText.plain("${backfill.start} $$ ${now.date}");

        assertThat(text.hasTokens()).isFalse();
        assertThat(text.render(DAY)).isEqualTo("${backfill.start} $$ ${now.date}");
        assertThat(text("backfill.start", "now.strftime.%Y").written())
                .isEqualTo("<${backfill.start}<${now.strftime.%Y}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"backfill.", "backfill.begin", "now.week", "backfill.START", "now.strftime", "now.date:-x"})
    void whatIsNoTokenIsNone(String name) {
        assertThat(Token.named(name)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "%", "%Q", "%Y-%", "%-", "%-Y"})
    void aFormatThatCannotBeReadIsRefused(String format) {
        assertThatThrownBy(() -> Token.named("now.strftime." + format)).isInstanceOf(LiteralException.class);
    }

    @Test
    void everyTokenIsNamedInMessagesAndHasAValue() {
        assertThat(Token.known()).hasSize(18).allSatisfy(name -> {
            assertThat(Token.isReserved(name)).isTrue();
            assertThat(value(name, DAY)).isNotEmpty();
        });
    }

    @ParameterizedTest
    @CsvSource({
        "backfill.start_date, true",
        "now.date, true",
        "now.year, true",
        "now.month, true",
        "now.day, true",
        "now.strftime.%Y/%j, true",
        "now.strftime.%Y %H, false",
        "now.strftime.%s, false",
        "now.hour, false",
        "backfill.start, false",
        "backfill.end_unix, false",
        "backfill.unit, false",
    })
    void datesAloneAreToldFromWhatIsFiner(String token, boolean dates) {
        assertThat(text(token).isScopedByDatesAlone()).isEqualTo(dates);
        assertThat(text(token, "backfill.start_date", "backfill.unit").isScopedByDatesAlone())
                .isEqualTo(dates || token.endsWith("unit"));
    }

    @Test
    void datesAloneMeanWholeDaysOfTheZone() {
        TokenText dates = text("backfill.start_date", "backfill.end_date");
        Moment.OfChunk inUtc = chunk(TIMESTAMPTZ, "2026-06-06T22:00:00Z", "2026-06-07T22:00:00Z", "UTC");

        assertThat(dates.contradiction(DAY, false)).isEmpty();
        assertThat(dates.contradiction(inUtc, false).orElseThrow().what())
                .startsWith(
                        "the chunk [2026-06-06T22:00:00+00:00 → 2026-06-07T22:00:00+00:00) does not begin and end at"
                                + " midnight in UTC");
        assertThat(text("backfill.start", "backfill.end_date").contradiction(inUtc, false))
                .isEmpty();
        assertThat(text("backfill.unit").contradiction(inUtc, false)).isEmpty();
        Moment.OfChunk endsEarly = chunk(TIMESTAMPTZ, "2026-06-06T22:00:00Z", "2026-06-07T21:59:59Z", "Europe/Berlin");
        assertThat(dates.contradiction(endsEarly, false)).isPresent();
    }

    @Test
    void aQueryThatNamesOneDateIsForChunksOfExactlyThat() {
        TokenText day = text("now.date");
        TokenText month = text("now.year", "now.month");
        TokenText first = text("backfill.start_date");
        Moment.OfChunk week = chunk(TIMESTAMPTZ, "2026-06-01T00:00:00Z", "2026-06-08T00:00:00Z", "UTC");
        Moment.OfChunk june = chunk(TIMESTAMPTZ, "2026-06-01T00:00:00Z", "2026-07-01T00:00:00Z", "UTC");

        assertThat(day.contradiction(DAY, false)).isEmpty();
        assertThat(first.contradiction(DAY, false)).isEmpty();
        assertThat(month.contradiction(june, false)).isEmpty();
        // It would read the first day of seven, or the month thirty times.
        assertThat(day.contradiction(week, false).orElseThrow().what()).contains("${now.date}");
        assertThat(first.contradiction(week, false)).isPresent();
        assertThat(month.contradiction(DAY, false)).isPresent();
        assertThat(month.contradiction(week, false)).isPresent();
        assertThat(text("backfill.start_date", "backfill.end_date").contradiction(week, false))
                .isEmpty();
    }

    /** The cursor cuts off what the query takes in too much; what the query leaves out, nothing brings back. */
    @Test
    void aCursorBesideDatesLetsThemTakeInMoreThanTheChunkAndNeverLess() {
        TokenText dates = text("backfill.start_date", "backfill.end_date");
        TokenText day = text("now.date");
        Moment.OfChunk morning = chunk(TIMESTAMPTZ, "2026-06-06T00:00:00Z", "2026-06-06T06:00:00Z", "UTC");
        Moment.OfChunk evening = chunk(TIMESTAMPTZ, "2026-06-06T18:00:00Z", "2026-06-07T00:00:00Z", "UTC");
        Moment.OfChunk night = chunk(TIMESTAMPTZ, "2026-06-06T22:00:00Z", "2026-06-07T22:00:00Z", "UTC");

        assertThat(dates.contradiction(evening, true)).isEmpty();
        assertThat(dates.contradiction(morning, true).orElseThrow().what()).contains("midnight in UTC");
        assertThat(dates.contradiction(night, true)).isPresent();
        assertThat(text("backfill.start", "backfill.end_date").contradiction(night, true))
                .isEmpty();
        assertThat(day.contradiction(morning, true)).isEmpty();
        assertThat(day.contradiction(evening, true)).isEmpty();
        assertThat(day.contradiction(night, true).orElseThrow().what()).contains("${now.date}");
        TokenText seconds = text("backfill.start_unix", "backfill.end_unix");
        Moment.OfChunk begins = chunk(TIMESTAMPTZ, "2026-06-06T00:00:00.5Z", "2026-06-06T00:00:01Z", "UTC");
        Moment.OfChunk ends = chunk(TIMESTAMPTZ, "2026-06-06T00:00:00Z", "2026-06-06T00:00:00.5Z", "UTC");
        assertThat(seconds.contradiction(begins, true)).isEmpty();
        assertThat(seconds.contradiction(ends, true).orElseThrow().what()).contains("whole seconds");
    }

    @Test
    void aQueryThatNamesOneHourIsForChunksOfExactlyThat() {
        TokenText hour = text("now.strftime.%Y%m%d%H");
        Moment.OfChunk one = chunk(TIMESTAMPTZ, "2026-06-01T05:00:00Z", "2026-06-01T06:00:00Z", "UTC");
        Moment.OfChunk half = chunk(TIMESTAMPTZ, "2026-06-01T05:00:00Z", "2026-06-01T05:30:00Z", "UTC");

        assertThat(hour.contradiction(one, false)).isEmpty();
        assertThat(hour.contradiction(DAY, false)).isPresent();
        assertThat(hour.contradiction(half, false)).isPresent();
        assertThat(text("now.date", "now.hour").contradiction(one, false)).isEmpty();
        assertThat(text("now.date", "now.hour").contradiction(DAY, true)).isPresent();
        assertThat(text("now.iso").contradiction(DAY, false)).isEmpty();
    }

    @Test
    void aDayWithoutAMidnightBeginsAtItsFirstInstantAndOneWithTwoAtTheFirst() {
        TokenText dates = text("now.date");
        // In Santiago the clock goes from 0:00 to 1:00 in spring, and from 0:00 back to 23:00 in autumn.
        Moment.OfChunk spring = chunk(TIMESTAMPTZ, "2026-09-06T04:00:00Z", "2026-09-07T03:00:00Z", "America/Santiago");
        // In Havana from 1:00 back to 0:00, so that midnight comes twice.
        Moment.OfChunk first = chunk(TIMESTAMPTZ, "2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z", "America/Havana");
        Moment.OfChunk second = chunk(TIMESTAMPTZ, "2026-11-01T05:00:00Z", "2026-11-02T05:00:00Z", "America/Havana");

        assertThat(dates.contradiction(spring, false)).isEmpty();
        assertThat(dates.contradiction(first, false)).isEmpty();
        assertThat(dates.contradiction(second, false)).isPresent();
    }

    @Test
    void timesHaveNoValueInAChunkOfNumbersAndSecondsNoneWithAFraction() {
        Moment.OfChunk numbers = chunk(BIGINT, "0", "10", "UTC");
        Moment.OfChunk fraction = chunk(TIMESTAMPTZ, "2026-06-06T22:00:00.5Z", "2026-06-07T22:00:00Z", "UTC");

        assertThat(text("backfill.start", "backfill.end", "backfill.unit").contradiction(numbers, false))
                .isEmpty();
        assertThat(text("backfill.start", "now.date")
                        .contradiction(numbers, true)
                        .orElseThrow()
                        .what())
                .isEqualTo("${now.date} needs a date or a time, and the chunk [0 → 10) is one of numbers");
        assertThat(text("backfill.start_unix").contradiction(numbers, false)).isPresent();
        assertThat(text("backfill.start_unix").contradiction(fraction, false)).isPresent();
        assertThat(text("backfill.start_unix").contradiction(fraction, true)).isEmpty();
        assertThat(text("backfill.start").contradiction(fraction, false)).isEmpty();
    }
}
