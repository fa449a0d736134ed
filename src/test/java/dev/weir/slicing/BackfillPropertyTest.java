package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.constraints.IntRange;

/** Plans of any bounds, steps and zones against what the contract says of them, counted another way. */
class BackfillPropertyTest {

    private static final CursorType TIMESTAMPTZ = CursorType.of(CursorType.Kind.TIMESTAMPTZ);

    private static final long MICROS_PER_DAY = 86_400_000_000L;

    /** A zone and a day at which its clocks do something. */
    private record Place(ZoneId zone, LocalDate day) {
        static Place of(String zone, String day) {
            return new Place(ZoneId.of(zone), LocalDate.parse(day));
        }
    }

    private static final List<Place> PLACES = List.of(
            Place.of("UTC", "2026-02-28"),
            Place.of("Europe/Berlin", "2026-03-29"),
            Place.of("Europe/Berlin", "2026-10-25"),
            Place.of("Africa/Cairo", "2026-04-24"),
            Place.of("Africa/Cairo", "2026-10-30"),
            Place.of("America/Santiago", "2026-09-06"),
            Place.of("America/Santiago", "2026-04-05"),
            Place.of("America/Havana", "2026-11-01"),
            Place.of("Asia/Kolkata", "2026-01-31"),
            Place.of("Australia/Lord_Howe", "2026-04-05"),
            Place.of("Pacific/Apia", "2011-12-30"),
            Place.of("Pacific/Kwajalein", "1969-10-01"));

    /**
     * A plan over time.
     *
     * @param shown what the clock shows at its start
     */
    record Zoned(ZoneId zone, LocalDateTime shown, Backfill plan) {}

    @Provide
    Arbitrary<Zoned> zoned() {
        return Combinators.combine(
                        Arbitraries.of(PLACES),
                        Arbitraries.integers().between(-35, 35),
                        clocks(),
                        Arbitraries.oneOf(evenly(1, 3 * MICROS_PER_DAY), evenly(1, 100 * MICROS_PER_DAY)),
                        steps())
                .as((place, days, clock, length, step) -> {
                    LocalDateTime shown = place.day().plusDays(days).atTime(clock);
                    LocalDateTime start = first(place.zone(), shown);
                    CursorValue from = TIMESTAMPTZ.units(Literals.micros(start));
                    CursorValue to = from.plus(BigInteger.valueOf(length));
                    return new Zoned(place.zone(), shown, new Backfill(TIMESTAMPTZ, from, to, step, place.zone()));
                })
                .withoutEdgeCases();
    }

    /** Times of day that zones skip or repeat, and any other. */
    private static Arbitrary<LocalTime> clocks() {
        return Arbitraries.oneOf(
                Arbitraries.just(LocalTime.MIDNIGHT),
                Arbitraries.of("00:30", "02:00", "02:30", "23:30").map(LocalTime::parse),
                evenly(0, MICROS_PER_DAY - 1).map(micros -> LocalTime.ofNanoOfDay(micros * 1_000)));
    }

    private static Arbitrary<Long> evenly(long least, long most) {
        return Arbitraries.longs().between(least, most).withDistribution(RandomDistribution.uniform());
    }

    private static Arbitrary<ChunkStep> steps() {
        return Arbitraries.oneOf(
                        texts(1, 20, "d"),
                        texts(1, 3, "w"),
                        texts(1, 13, "mo"),
                        texts(1, 60, "h"),
                        texts(20, 3_000, "m"),
                        texts(2_000, 300_000, "s"))
                .map(text -> ChunkStep.parse(TIMESTAMPTZ, text));
    }

    private static Arbitrary<String> texts(int least, int most, String unit) {
        return Arbitraries.integers().between(least, most).map(count -> count + unit);
    }

    @Property
    void chunksTileTheRange(@ForAll("zoned") Zoned zoned) {
        assertTiles(zoned.plan());
    }

    @Property
    void everyBoundLiesAWholeNumberOfStepsFromTheStart(@ForAll("zoned") Zoned zoned) {
        Backfill plan = zoned.plan();
        ChunkStep step = plan.step();
        boolean skipped = !showings(zoned.zone(), zoned.shown().toLocalDate().atTime(12, 0))
                .iterator()
                .hasNext();
        boolean startsAsShown = showings(zoned.zone(), zoned.shown()).findAny().isPresent()
                || zoned.shown().toLocalTime().toSecondOfDay() == 0;
        Assume.that(!step.isCalendar() || (startsAsShown && !skipped));

        TreeSet<CursorValue> expected = new TreeSet<>();
        CursorValue bound = plan.from();
        for (long steps = 1; bound.isBelow(plan.to()); steps++) {
            expected.add(bound);
            bound = TIMESTAMPTZ.units(Literals.micros(after(zoned, step, steps)));
        }

        assertThat(plan.chunks()).extracting(Chunk::from).containsExactlyElementsOf(expected);
    }

    private static LocalDateTime after(Zoned zoned, ChunkStep step, long steps) {
        long count = step.count().longValueExact() * steps;
        return switch (step.unit()) {
            case MONTHS -> first(zoned.zone(), zoned.shown().plusMonths(count));
            case DAYS -> first(zoned.zone(), zoned.shown().plusDays(count));
            case SECONDS -> zoned.plan().from().toLocalDateTime().plusSeconds(count);
            case NUMBERS -> throw new IllegalArgumentException(step.toString());
        };
    }

    /** One plan of six is such a one. */
    @Property(maxDiscardRatio = 20)
    void daysAndMonthsFromAMidnightBeginWhereDaysBegin(@ForAll("zoned") Zoned zoned) {
        Assume.that(zoned.plan().step().isCalendar());
        Assume.that(zoned.shown().toLocalTime().toNanoOfDay() == 0);
        ZoneRules rules = zoned.zone().getRules();

        for (Chunk chunk : zoned.plan().chunks()) {
            Instant begins = chunk.from().toLocalDateTime().toInstant(ZoneOffset.UTC);
            LocalDate day = LocalDate.ofInstant(begins, rules.getOffset(begins));
            Instant before = begins.minusNanos(1_000);
            assertThat(LocalDate.ofInstant(before, rules.getOffset(before))).isBefore(day);
        }
    }

    @Property
    void numbersAndDatesAreCutEvenly(
            @ForAll(supplier = CursorTypes.AnyValue.class) CursorValue from,
            @ForAll @IntRange(min = 1, max = 50) int chunks,
            @ForAll @IntRange(min = 1, max = 400) int width,
            @ForAll @IntRange(max = 399) int cut) {
        CursorType type = from.type();
        Assume.that(!type.isInstant());
        BigInteger step = BigInteger.valueOf(width);
        CursorValue to = from.plus(BigInteger.valueOf((long) chunks * width - cut % width));
        Assume.that(from.isBelow(to));
        ChunkStep.Unit unit = type.isTime() ? ChunkStep.Unit.DAYS : ChunkStep.Unit.NUMBERS;

        Backfill plan = new Backfill(type, from, to, new ChunkStep(type, unit, step), ZoneOffset.UTC);

        assertTiles(plan);
        assertThat(plan.chunks()).allSatisfy(chunk -> assertThat(chunk.from().units())
                .isEqualTo(from.units().add(step.multiply(BigInteger.valueOf(chunk.number())))));
        assertThat(to.units().subtract(plan.chunk(plan.count() - 1).from().units()))
                .isLessThanOrEqualTo(step);
    }

    @Property
    void monthsEndAtTheirLastDayAndNeverDrift(
            @ForAll @IntRange(min = 1900, max = 2100) int year,
            @ForAll @IntRange(min = 29, max = 31) int day,
            @ForAll @IntRange(min = 1, max = 14) int months) {
        CursorType date = CursorType.of(CursorType.Kind.DATE);
        LocalDate from = LocalDate.of(year, 1, day);
        Backfill plan = Backfill.parse(
                date, new Backfill.Text(from.toString(), from.plusYears(6).toString(), months + "mo", null));

        for (Chunk chunk : plan.chunks()) {
            LocalDate begins = chunk.from().toLocalDateTime().toLocalDate();
            int month = months * chunk.number();
            assertThat(begins.getYear() * 12 + begins.getMonthValue()).isEqualTo(year * 12 + 1 + month);
            assertThat(begins.getDayOfMonth()).isEqualTo(Math.min(day, begins.lengthOfMonth()));
        }
    }

    private static void assertTiles(Backfill plan) {
        BackfillIdentity identity = new BackfillIdentity("p", plan, null, null);
        CursorValue reached = plan.from();
        Set<String> names = new HashSet<>();
        for (Chunk chunk : plan.chunks()) {
            assertThat(chunk.from()).isEqualTo(reached);
            assertThat(chunk.to()).isGreaterThan(reached);
            assertThat(chunk.range().contains(chunk.from())).isTrue();
            assertThat(chunk.range().contains(chunk.to().plus(BigInteger.ONE.negate())))
                    .isTrue();
            assertThat(chunk.range().contains(chunk.to())).isFalse();
            assertThat(names.add(identity.runId(chunk))).isTrue();
            reached = chunk.to();
        }
        assertThat(reached).isEqualTo(plan.to());
        assertThat(names).hasSize(plan.count());
    }

    /** By trying every offset the zone has near: the first instant that shows it, else where the gap over it ends. */
    private static LocalDateTime first(ZoneId zone, LocalDateTime shown) {
        return showings(zone, shown).min(LocalDateTime::compareTo).orElseGet(() -> {
            ZoneOffsetTransition gap =
                    zone.getRules().nextTransition(shown.minusHours(26).toInstant(ZoneOffset.UTC));
            assertThat(gap.getDateTimeBefore()).isBeforeOrEqualTo(shown);
            assertThat(gap.getDateTimeAfter()).isAfter(shown);
            return LocalDateTime.ofInstant(gap.getInstant(), ZoneOffset.UTC);
        });
    }

    private static Stream<LocalDateTime> showings(ZoneId zone, LocalDateTime shown) {
        ZoneRules rules = zone.getRules();
        return Stream.iterate(-30, hours -> hours <= 30, hours -> hours + 1)
                .map(hours -> rules.getOffset(shown.plusHours(hours).toInstant(ZoneOffset.UTC)))
                .distinct()
                .filter(offset -> rules.getOffset(shown.toInstant(offset)).equals(offset))
                .map(offset -> shown.minusSeconds(offset.getTotalSeconds()));
    }
}
