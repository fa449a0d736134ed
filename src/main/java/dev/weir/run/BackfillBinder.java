package dev.weir.run;

import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.fault.UsageException;
import dev.weir.plan.Fingerprint;
import dev.weir.plan.Plan;
import dev.weir.plan.Scoping;
import dev.weir.project.BackfillDefaults;
import dev.weir.slicing.Backfill;
import dev.weir.slicing.BackfillIdentity;
import dev.weir.slicing.Chunk;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.Moment;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes of what a backfill was asked for, and of what its systems say, what it is: its chunks, and its identity. */
final class BackfillBinder {

    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(?:\\.[0-9]+)?");

    private final Scoping scoping;
    private final Plan whole;
    private final BackfillOptions options;
    private final BackfillDefaults defaults;

    /** @param whole all there is in the project, as runs load it */
    BackfillBinder(Scoping scoping, Plan whole, BackfillOptions options) {
        this.scoping = scoping;
        this.whole = whole;
        this.options = options;
        this.defaults = whole.settings().backfill();
    }

    /**
     * The plan that sources are bound by: tokens in their queries stand for some chunk.
     *
     * @throws UsageException when the bounds are none, or none that the tokens could stand for, as far as that can be told
     *     before: {@code WR0603}, {@code WR0606}
     */
    Plan provisional() {
        if (scoping.scoped().stream().allMatch(source -> source.tokens().isEmpty())) {
            return scoping.plan();
        }
        Backfill range = parse(guessed(), null);
        Moment.OfChunk chunk = moment(range, range.chunk(0));
        if (chunk.isOfNumbers()) {
            // Dates have no value here to bind a query with; all else is asked of each chunk, once the cursor is known.
            scoping.check(chunk);
        }
        return scoping.at(chunk);
    }

    /**
     * The backfill.
     *
     * @throws UsageException {@code WR0601}, {@code WR0603} or {@code WR0606}
     * @throws RunException when a source or a sink did not answer
     */
    BackfillTarget bind(Bindings bindings) {
        Stream.concat(bindings.failedSources().values().stream(), bindings.failedSinks().values().stream())
                .findFirst()
                .ifPresent(failure -> {
                    throw failure;
                });
        List<BoundSource> scoped = scoping.scoped().stream()
                .map(source -> bindings.sources().get(source.id()))
                .toList();
        Cursor cursor = cursor(scoped);
        Backfill plan = parse(
                cursor.type(),
                options.window() != null ? options.window() : defaults.window().orElse(null));
        plan.chunks().forEach(chunk -> scoping.check(moment(plan, chunk)));
        BackfillIdentity identity =
                new BackfillIdentity(scoping.pipeline().name(), plan, options.cursor(), options.into());
        return new BackfillTarget(
                whole.project(),
                bindings.pipeline(scoping.pipeline().name()).orElseThrow(),
                scoped,
                identity,
                cursor,
                fingerprint(plan));
    }

    private Fingerprint fingerprint(Backfill plan) {
        Fingerprint fingerprint =
                Fingerprint.of(scoping).with("type of the cursor", plan.type().toString());
        boolean hasTokens =
                scoping.scoped().stream().anyMatch(source -> source.tokens().isPresent());
        // Dates that go into a query are those of the zone, also where the zone cuts no chunks.
        return hasTokens ? fingerprint.with("time zone", plan.zone().toString()) : fingerprint;
    }

    /** What is read of a source for a chunk is decided where its tokens are filled. */
    static Moment.OfChunk moment(Backfill plan, Chunk chunk) {
        return new Moment.OfChunk(chunk.id(), chunk.from(), chunk.to(), plan.zone());
    }

    private Cursor cursor(List<BoundSource> scoped) {
        List<Cursor> cursors = scoped.stream()
                .flatMap(source -> source.incremental().stream())
                .map(BoundSource.Incremental::cursor)
                .distinct()
                .toList();
        if (cursors.isEmpty()) {
            return new Cursor(Cursor.TOKENS, guessed());
        }
        CursorType type = cursors.get(0).type();
        if (cursors.stream().anyMatch(cursor -> !cursor.type().equals(type))) {
            throw new UsageException(
                    Code.NO_SCOPE,
                    scoping.pipeline().place().toString(),
                    "pipeline " + scoping.pipeline().name() + " reads sources by cursors of different types: "
                            + String.join(
                                    ", ", cursors.stream().map(Cursor::toString).toList()),
                    "backfill a pipeline for each of them, or name one column for all with --cursor");
        }
        return new Cursor(String.join(", ", cursors.stream().map(Cursor::column).toList()), type);
    }

    /** Where only tokens scope, bounds say themselves of which type they are. */
    private CursorType guessed() {
        if (!NUMBER.matcher(options.from()).matches()) {
            return CursorType.of(CursorType.Kind.TIMESTAMPTZ);
        }
        int scale = Math.max(scale(options.from()), scale(options.to()));
        return scale == 0 ? CursorType.of(CursorType.Kind.BIGINT) : CursorType.decimal(38, scale);
    }

    private static int scale(String number) {
        return NUMBER.matcher(number).matches() ? Math.min(new BigDecimal(number).scale(), 18) : 0;
    }

    private Backfill parse(CursorType type, @Nullable String window) {
        String zone = options.timezone();
        if (zone == null && type.isInstant()) {
            zone = defaults.timezone().map(ZoneId::toString).orElse(null);
        }
        try {
            return Backfill.parse(type, new Backfill.Text(options.from(), options.to(), window, zone));
        } catch (Backfill.BackfillException e) {
            boolean isDefault = (e.key().equals("window") && options.window() == null)
                    || (e.key().equals("timezone") && options.timezone() == null);
            throw new UsageException(
                    Code.BAD_BACKFILL,
                    isDefault ? "weir.yml, backfill." + e.key() : "--" + e.key(),
                    e.getMessage(),
                    isDefault ? "correct it, or overrule it with --" + e.key() : "correct it, then run again");
        }
    }
}
