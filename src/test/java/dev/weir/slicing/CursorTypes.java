package dev.weir.slicing;

import java.math.BigInteger;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ArbitrarySupplier;
import org.jspecify.annotations.Nullable;

/** Cursor types and values for properties, the ends of every range among them. */
final class CursorTypes {

    /**
     * A cursor column.
     *
     * @param fractionDigits how many digits of a second it holds; null: it does not say, or holds no times
     */
    record Column(CursorType type, @Nullable Integer fractionDigits) {

        /** How many units lie between two neighbouring values of the column; 1 for columns finer than a unit. */
        BigInteger grain() {
            boolean coarse = type.isInstant() && fractionDigits != null && fractionDigits < 6;
            return coarse ? BigInteger.TEN.pow(6 - fractionDigits) : BigInteger.ONE;
        }

        boolean isFinerThanAUnit() {
            return fractionDigits != null && fractionDigits > 6;
        }
    }

    static final List<CursorType> ALL = List.of(
            CursorType.of(CursorType.Kind.TINYINT),
            CursorType.of(CursorType.Kind.SMALLINT),
            CursorType.of(CursorType.Kind.INTEGER),
            CursorType.of(CursorType.Kind.BIGINT),
            CursorType.of(CursorType.Kind.UTINYINT),
            CursorType.of(CursorType.Kind.USMALLINT),
            CursorType.of(CursorType.Kind.UINTEGER),
            CursorType.of(CursorType.Kind.UBIGINT),
            CursorType.decimal(1, 0),
            CursorType.decimal(9, 2),
            CursorType.decimal(18, 3),
            CursorType.decimal(38, 0),
            CursorType.decimal(38, 38),
            CursorType.of(CursorType.Kind.DATE),
            CursorType.of(CursorType.Kind.TIMESTAMP),
            CursorType.of(CursorType.Kind.TIMESTAMPTZ),
            CursorType.of(CursorType.Kind.EPOCH_S),
            CursorType.of(CursorType.Kind.EPOCH_MS),
            CursorType.of(CursorType.Kind.EPOCH_US));

    private static final BigInteger TWENTY_TWENTY_SIX_IN_DAYS = BigInteger.valueOf(20_454);
    private static final BigInteger MICROS_PER_DAY = BigInteger.valueOf(86_400_000_000L);

    private CursorTypes() {}

    static final class Any implements ArbitrarySupplier<CursorType> {
        @Override
        public Arbitrary<CursorType> get() {
            return Arbitraries.of(ALL);
        }
    }

    /** Any value of any type. */
    static final class AnyValue implements ArbitrarySupplier<CursorValue> {
        @Override
        public Arbitrary<CursorValue> get() {
            return Arbitraries.of(ALL).flatMap(CursorTypes::values);
        }
    }

    static Arbitrary<CursorValue> values(CursorType type) {
        Arbitrary<BigInteger> anywhere = Arbitraries.bigIntegers()
                .between(type.least().units(), type.greatest().units());
        return Arbitraries.oneOf(anywhere, Arbitraries.of(landmarks(type))).map(type::units);
    }

    static Arbitrary<Column> columns() {
        return Arbitraries.of(ALL)
                .flatMap(type -> type.isInstant()
                        ? Arbitraries.of(0, 3, 6, 9).injectNull(0.2).map(digits -> new Column(type, digits))
                        : Arbitraries.just(new Column(type, null)));
    }

    /** Places where things are different: the type's ends, zero, where doubles and longs end, this century. */
    static List<BigInteger> landmarks(CursorType type) {
        List<BigInteger> wanted = List.of(
                BigInteger.ZERO,
                BigInteger.TWO.pow(31),
                BigInteger.TWO.pow(53),
                BigInteger.TWO.pow(63),
                BigInteger.TWO.pow(62).negate(),
                type.kind() == CursorType.Kind.DATE
                        ? TWENTY_TWENTY_SIX_IN_DAYS
                        : TWENTY_TWENTY_SIX_IN_DAYS.multiply(MICROS_PER_DAY),
                type.least().units(),
                type.greatest().units());
        return wanted.stream()
                .map(units -> type.nearest(units).units())
                .distinct()
                .toList();
    }
}
