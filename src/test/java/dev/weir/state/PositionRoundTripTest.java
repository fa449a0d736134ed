package dev.weir.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Position;
import dev.weir.slicing.PositionKey;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

class PositionRoundTripTest {

    private static Path folder;
    private static StateStore store;

    @BeforeContainer
    static void open() throws IOException {
        folder = Files.createTempDirectory("weir-state");
        store = Samples.open(folder);
    }

    @AfterContainer
    static void close() throws IOException {
        store.close();
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    @Property(tries = 300)
    void anyPositionIsReadAsItWasSaved(@ForAll("moves") Moved move) {
        store.save(List.of(move));
        assertThat(store.positions(move.key().project(), move.key().source()))
                .containsEntry(move.key(), move.position());
        assertThat(store.history(move.key().project(), move.key().source(), 1)).containsExactly(move);
    }

    @Property(tries = 50)
    void anyEditIsReadAsItWasWritten(@ForAll("moves") Moved before, @ForAll("moves") Moved after) {
        PositionKey key = after.key();
        Edit edit = new Edit(
                Edit.Kind.ROLLBACK,
                key.project(),
                key.source(),
                "why",
                "who",
                List.of(
                        new Edit.Change(key, before.position(), after.position()),
                        new Edit.Change(key, null, after.position())));
        store.edit(edit);
        assertThat(store.edits(key.project(), key.source()).get(0).edit()).isEqualTo(edit);
        assertThat(store.positions(key.project(), key.source())).containsEntry(key, after.position());
    }

    @Provide
    Arbitrary<Moved> moves() {
        Arbitrary<String> names = Arbitraries.strings()
                .withChars("abcZ09 .\"'%_-üß世\n\t\\|")
                .ofMinLength(0)
                .ofMaxLength(12);
        Arbitrary<String> sources = Arbitraries.longs().greaterOrEqual(0).map(number -> "pg.t" + number);
        Arbitrary<PositionKey> keys =
                Combinators.combine(names, names, names, sources).as(PositionKey::new);
        return types().flatMap(
                        type -> Combinators.combine(keys, positions(type)).as(Moved::new));
    }

    private static Arbitrary<Position> positions(CursorType type) {
        Arbitrary<CursorValue> values = Arbitraries.bigIntegers()
                .between(type.least().units(), type.greatest().units())
                .edgeCases(
                        edges -> edges.add(type.least().units(), type.greatest().units(), BigInteger.ZERO))
                .map(type::units);
        Arbitrary<CursorValue> orNone = values.injectNull(0.3);
        Arbitrary<Instant> times = Combinators.combine(
                        Arbitraries.longs().between(-62_135_596_800L, 253_402_300_799L),
                        Arbitraries.integers().between(0, 999_999_999))
                .as(Instant::ofEpochSecond);
        return Combinators.combine(
                        Arbitraries.of("id", "Updated At", "\"q\"", "日付"),
                        Arbitraries.longs().greaterOrEqual(0),
                        orNone,
                        orNone,
                        orNone,
                        Arbitraries.of("20260902T091500118Z-9a1c", "edit"),
                        times)
                .as((column, generation, start, value, stood, run, at) ->
                        new Position(new Cursor(column, type), generation, start, value, stood, run, at));
    }

    private static Arbitrary<CursorType> types() {
        Arbitrary<CursorType> plain = Arbitraries.of(CursorType.Kind.values())
                .filter(kind -> kind != CursorType.Kind.DECIMAL)
                .map(CursorType::of);
        Arbitrary<CursorType> decimals = Arbitraries.integers()
                .between(1, 38)
                .flatMap(precision -> Arbitraries.integers()
                        .between(0, precision)
                        .map(scale -> CursorType.decimal(precision, scale)));
        return Arbitraries.oneOf(plain, decimals);
    }
}
