package dev.weir.project;

import static dev.weir.project.Key.of;

import dev.weir.slicing.OnSchemaChange;
import dev.weir.slicing.Settle;
import dev.weir.slicing.Strategy;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Every key of connections.yml and weir.yml, and what it takes. The readers know no other: they take keys from here, and
 * editors are told of these.
 *
 * <p>What connectors take beside them is theirs to tell. Source of the keys: contract, section 2.
 */
public final class Grammar {

    private static final Shape TEXT = new Shape.Text();
    private static final Shape COUNT = new Shape.Count(1, 9_999);
    private static final Shape MANY = new Shape.Count(1, 999_999);
    private static final Shape DURATION = new Shape.Spelled(
            Pattern.compile("[0-9]{1,1000}(?:ms|s|m|h|d|w)"),
            false,
            "write digits and one of ms s m h, as in 500ms or 30s, at most a day");
    private static final Shape RATE = new Shape.Spelled(
            Pattern.compile("0*[1-9][0-9]{0,5}/[smh]"),
            false,
            "write how many in a second, a minute or an hour, as in 10/s, 100/m or 1000/h");
    private static final Shape MEMORY = new Shape.Spelled(
            Pattern.compile("(?=.*[1-9])[0-9]{1,9}(?:\\.[0-9]{1,3})?\\s*[KMGT]i?B"),
            false,
            "write a number and KB, MB, GB or TB, as in 512MB");
    private static final Shape CHUNK = new Shape.Spelled(
            Pattern.compile("(?=.*[1-9])(?:[0-9]{1,100}(?:\\.[0-9]{1,100})?|[0-9]{1,100}(?:s|m|h|d|w|mo))"),
            true,
            "write a duration, as in 6h, 1d, 1w or 1mo, or a number for a cursor of numbers");

    /** A dot would make {@code connection.entity} ambiguous. */
    public static final Pattern CONNECTION_NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_-]*");

    static final Shape.Block SYNC = Shape.Block.of(
            of("mode", Shape.Word.of("incremental"), "Only what is new is read, slice by slice.")
                    .isRequired(),
            of("cursor", TEXT, "The column that orders the rows, as its system spells it.")
                    .isRequired(),
            of(
                    "cursor_unit",
                    Shape.Word.of("epoch_s", "epoch_ms", "epoch_us"),
                    "The cursor is a number that counts time since 1970 in this unit."),
            of(
                    "max_window",
                    TEXT,
                    "At most so much of the cursor a pass: a number, or 1h, 1d, 1w and the like for times; auto: by what the"
                            + " last windows held or took. Without it one window reaches up to the ceiling."),
            of("target", TEXT, "max_window: auto: so long should a pass take, as in 30s."),
            of("target_rows", TEXT, "max_window: auto: so many rows should a window hold."),
            of("max_window_limit", TEXT, "max_window: auto: at most so much of the cursor a pass."),
            of(
                    "initial",
                    TEXT,
                    "Where the first window starts, this value included. Without it at the lowest value there is."),
            of("until", TEXT, "Caught up once this value is reached; now, for dates and times."),
            of("delay", TEXT, "Dates and times: stay this far below now, as in 5m."),
            of("lookback", TEXT, "Read this much below the watermark once more, each time."),
            of("nulls", Shape.Word.of("warn", "fail"), "What rows are whose cursor is NULL.")
                    .usually("warn"),
            of(
                            "settle",
                            words(Settle.Mode.values()),
                            "Whether transactions are waited for that may still commit lower values.")
                    .usually("auto"),
            of("settle_timeout", TEXT, "How long they are waited for.").usually(seconds(Settle.USUAL.timeout())));

    static final Shape.Block READ = Shape.Block.of(
            of(
                    "columns",
                    new Shape.Named(Optional.empty(), TEXT, true),
                    "The columns to read and their DuckDB types. Without it all, with the types of the source."),
            of("sync", SYNC, "Reads the entity in slices. Without it the whole entity is read each time."),
            of("query", TEXT, "A SELECT of the source's own, which stands for the entity."));

    static final Shape.Block WRITE = Shape.Block.of(
            of("strategy", words(Strategy.values()), "How rows go into the table."),
            of("keys", new Shape.Texts(false), "merge: the columns that tell rows apart."),
            of("order_by", TEXT, "merge: of rows with equal keys the one with the greatest value stays."),
            of(
                            "keep_columns",
                            Shape.Word.of("true", "false"),
                            "merge: the table may have columns that the pipeline does not produce.")
                    .usually("false"),
            of(
                            "on_schema_change",
                            words(OnSchemaChange.values()),
                            "What becomes of the table when the pipeline's columns differ from it.")
                    .usually(OnSchemaChange.FAIL),
            of(
                    "delete_when",
                    TEXT,
                    "merge: a condition in DuckDB SQL; rows it is true for remove the rows of their keys."),
            of("duplicates", Shape.Word.of("accept"), "append: rows may be added twice where somebody goes back."),
            of("delivery", Shape.Word.of("exactly_once"), "append: no row may be added twice."),
            of("per_slice", Shape.Word.of("accept"), "The SQL is meant to be run over one slice at a time."));

    static final Shape.Block ENTITY =
            Shape.Block.of(of("read", READ, "How it is read."), of("write", WRITE, "How it is written."));

    static final Shape.Block RETRY = Shape.Block.of(
            of("attempts", COUNT, "How often in all; 1 tries nothing again.").usually(Limits.Retry.DEFAULT.attempts()),
            of("delay", DURATION, "Before the second attempt; doubled for each further one.")
                    .usually(seconds(Limits.Retry.DEFAULT.delay())),
            of("max_delay", DURATION, "The longest delay.").usually(seconds(Limits.Retry.DEFAULT.maxDelay())));

    static final Shape.Block BREAKER = Shape.Block.of(
            of("failures", COUNT, "After so many failed attempts in a row the connection is left alone.")
                    .usually(Limits.Breaker.DEFAULT.failures()),
            of("cooldown", DURATION, "For how long.").usually(seconds(Limits.Breaker.DEFAULT.cooldown())));

    /** What a connection of any connector takes. */
    public static final Shape.Block CONNECTION = Shape.Block.of(
            of("connector", TEXT, "What it connects to.").isRequired(),
            of(
                    "entities",
                    new Shape.Named(Optional.empty(), ENTITY, false),
                    "Tables and queries by name, as the system spells it."),
            of("retry", RETRY, "How failures that may pass are tried again."),
            of("max_concurrency", COUNT, "At most so many slices are read from it at once."),
            of("rate_limit", RATE, "At most so many slices and transactions in a time, as in 10/s."),
            of("timeout", DURATION, "How long one attempt may take, as in 5m."),
            of("breaker", BREAKER, "When a connection that gives no answer is left alone."));

    static final Shape.Block BACKFILL = Shape.Block.of(
            of("window", CHUNK, "How much is one chunk, as in 1d."),
            of("concurrency", new Shape.Count(1, 64), "How many chunks are in flight.")
                    .usually(1),
            of("timezone", TEXT, "Where days begin, as in Europe/Berlin.").usually("UTC"),
            of("on_existing", Shape.Word.of("resume", "error"), "What is done about a plan that exists.")
                    .usually("resume"));

    static final Shape.Block RETENTION = Shape.Block.of(
            of("runs", MANY, "So many are remembered, a pass of a loop being one.")
                    .usually(Retention.DEFAULT.runs()),
            of("days", MANY, "For so many days.").usually(Retention.DEFAULT.days()));

    /** weir.yml. */
    public static final Shape.Block WEIR = Shape.Block.of(
            of("name", TEXT, "The name positions are kept under: do not change it later. By default the folder's."),
            of("vars", new Shape.Named(Optional.empty(), TEXT, false), "Values for {{ var('name') }} in pipelines."),
            of("secrets", new Shape.Texts(true), "Names of variables whose values are shown nowhere."),
            of("memory", MEMORY, "What the process may use, Java's heap and DuckDB together, as in 2GB."),
            of("spill", TEXT, "The folder that takes what does not fit the memory. By default .weir/tmp."),
            of("threads", COUNT, "How many threads DuckDB uses."),
            of("retention", RETENTION, "What is remembered of runs."),
            of("backfill", BACKFILL, "What weir backfill does where it is not told."));

    /** The options of {@code watermark()}. */
    static final Shape.Block WATERMARK = Shape.Block.of(of("cursor", TEXT, "The column that orders the rows."));

    private Grammar() {}

    private static Shape words(Enum<?>[] values) {
        return new Shape.Word(Arrays.stream(values)
                .map(value -> value.name().toLowerCase(Locale.ROOT))
                .toList());
    }

    private static String seconds(Duration duration) {
        return duration.toSeconds() + "s";
    }
}
