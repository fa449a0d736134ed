package dev.weir.slicing;

import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ArbitrarySupplier;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;
import org.jspecify.annotations.Nullable;

/**
 * A source and its {@code sync} block, small and dense, at any place of any type.
 *
 * @param anchor the units around which everything lies
 * @param now the invocation's now
 * @param settled the highest settled number; null: none
 * @param rows the cursors, finer than positions where the column is; null: NULL
 */
record Shape(
        CursorTypes.Column column,
        BigInteger anchor,
        Sync sync,
        Instant now,
        @Nullable CursorValue settled,
        List<@Nullable BigInteger> rows) {

    private static final BigInteger MICROS_PER_SECOND = BigInteger.valueOf(1_000_000);
    private static final BigInteger MICROS_PER_DAY = MICROS_PER_SECOND.multiply(BigInteger.valueOf(86_400));
    private static final int ROWS = 30;

    static final class Any implements ArbitrarySupplier<Shape> {
        @Override
        public Arbitrary<Shape> get() {
            return CursorTypes.columns().flatMap(column -> Arbitraries.of(CursorTypes.landmarks(column.type()))
                    .flatMap(anchor ->
                            Arbitraries.of(6L, 40L, 1_000L).flatMap(span -> new Near(column, anchor, span).shapes())));
        }
    }

    SourceRows source() {
        SourceRows source = new SourceRows(column.type());
        rows.forEach(source::add);
        return source;
    }

    Optional<CursorValue> ceiling() {
        return ceiling(now);
    }

    /** The ceiling of an invocation at another time. */
    Optional<CursorValue> ceiling(Instant at) {
        return Ceiling.of(sync, column.fractionDigits(), new Ceiling.Measured(at, null, null, settled));
    }

    /** The same {@code sync} block with another window; null: none. */
    Sync windowed(@Nullable Step window) {
        return new Sync(
                sync.type(), window, null, sync.initial(), sync.until(), sync.delayMicros(), null, false, Settle.USUAL);
    }

    /** The value so many grains above the anchor. */
    CursorValue at(long grains) {
        return new Near(column, anchor, 0).at(grains);
    }

    /** That time later, as many grains of the column's. */
    static Instant later(Instant instant, CursorTypes.Column column, long grains) {
        return instant(
                Ceiling.micros(instant).add(micros(column, column.grain().multiply(BigInteger.valueOf(grains)))));
    }

    private static BigInteger micros(CursorTypes.Column column, BigInteger units) {
        return column.type().kind() == CursorType.Kind.DATE ? units.multiply(MICROS_PER_DAY) : units;
    }

    private static Instant instant(BigInteger micros) {
        BigInteger second = Ceiling.floorDivide(micros, MICROS_PER_SECOND);
        long micro = micros.subtract(second.multiply(MICROS_PER_SECOND)).longValueExact();
        return Instant.ofEpochSecond(second.longValueExact(), micro * 1_000);
    }

    /** Everything within {@code span} grains above an anchor. */
    private record Near(CursorTypes.Column column, BigInteger anchor, long span) {

        CursorValue at(long grains) {
            return column.type().nearest(aligned().add(column.grain().multiply(BigInteger.valueOf(grains))));
        }

        private BigInteger aligned() {
            return anchor.subtract(anchor.mod(column.grain()));
        }

        Arbitrary<Shape> shapes() {
            return Combinators.combine(syncs(), nows(), settled(), rows().list().ofMaxSize(ROWS))
                    .as((sync, now, settled, rows) -> new Shape(column, anchor, sync, now, settled, rows));
        }

        private Arbitrary<Long> grains(long below) {
            return Arbitraries.longs().between(-below, span + 3).withoutEdgeCases();
        }

        private Arbitrary<Sync> syncs() {
            Arbitrary<@Nullable Step> windows = Arbitraries.longs()
                    .between(1, span + 5)
                    .map(grains -> new Step(column.type(), column.grain().multiply(BigInteger.valueOf(grains))))
                    .injectNull(0.2);
            Arbitrary<@Nullable CursorValue> initials = grains(4).map(this::at).injectNull(0.4);
            Arbitrary<BigInteger> delays = column.type().isTime()
                    ? Arbitraries.of(0L, 0L, 1L, 3L)
                            .map(grains -> micros(column, column.grain().multiply(BigInteger.valueOf(grains))))
                    : Arbitraries.just(BigInteger.ZERO);
            return Combinators.combine(windows, initials, untils(), delays)
                    .as((window, initial, until, delay) ->
                            new Sync(column.type(), window, null, initial, until, delay, null, false, Settle.USUAL));
        }

        private Arbitrary<Until> untils() {
            List<Arbitrary<Until>> untils = new ArrayList<>();
            untils.add(Arbitraries.just(new Until.Never()));
            untils.add(grains(1).map(grains -> new Until.Value(at(grains))));
            if (column.type().isTime()) {
                untils.add(Arbitraries.just(new Until.Now()));
            }
            return Arbitraries.oneOf(untils);
        }

        private Arbitrary<Instant> nows() {
            Arbitrary<Long> nanos = Arbitraries.of(0L, 1L, 499L, 500L, 999L);
            return Combinators.combine(grains(0), nanos).as((grains, nano) -> {
                if (!column.type().isTime()) {
                    return Instant.EPOCH.plusSeconds(grains);
                }
                BigInteger micros = micros(column, at(grains).units());
                return instant(micros).plusNanos(nano);
            });
        }

        private Arbitrary<@Nullable CursorValue> settled() {
            return column.type().isTime()
                    ? Arbitraries.just(null)
                    : grains(1).map(this::at).injectNull(0.8);
        }

        private Arbitrary<@Nullable BigInteger> rows() {
            Arbitrary<Long> nanos =
                    column.isFinerThanAUnit() ? Arbitraries.of(0L, 1L, 500L, 999L) : Arbitraries.just(0L);
            Arbitrary<BigInteger> finite =
                    Combinators.combine(grains(4), nanos).as((grains, nano) -> fine(at(grains), nano));
            Arbitrary<BigInteger> strange =
                    Arbitraries.of(SourceRows.INFINITY, SourceRows.INFINITY.negate(), SourceRows.NAN);
            return Arbitraries.frequencyOf(Tuple.of(30, finite), Tuple.of(1, strange))
                    .injectNull(0.03);
        }

        /** No column reaches beyond its type's last whole microsecond. */
        private BigInteger fine(CursorValue value, long nano) {
            BigInteger fine = value.units().multiply(SourceRows.finePerUnit(column.type()));
            return value.isGreatest() ? fine : fine.add(BigInteger.valueOf(nano));
        }
    }
}
