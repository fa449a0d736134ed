package dev.weir.cli;

import dev.weir.run.PlanLook;
import dev.weir.run.PlanLook.Standing;
import dev.weir.slicing.Chunk;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.Spelling;
import dev.weir.state.BackfillRecord;
import dev.weir.state.ChunkRecord;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The lines of {@code weir backfill show}. */
final class BackfillShowText {

    /** So many chunks of a kind are listed, and so many lines of an error. */
    private static final int LISTED = 10;

    private final PlanPicture picture;

    BackfillShowText(PlanPicture picture) {
        this.picture = picture;
    }

    /** What the plan is, its picture, and the chunks that want to be looked at. */
    List<String> of(PlanLook look) {
        List<String> lines = new ArrayList<>();
        addHead(look, lines);
        lines.add("");
        lines.addAll(picture.of(look));
        addListed(look, Standing.FAILED, lines, chunk -> {
            lines.add("  " + named(chunk) + "  "
                    + (chunk.attempts() == 1 ? "1 attempt" : chunk.attempts() + " attempts"));
            addError(chunk.error(), lines);
        });
        addListed(
                look,
                Standing.INTERRUPTED,
                lines,
                chunk -> lines.add("  " + named(chunk) + "  " + held(chunk) + ", and nobody who lives holds it"));
        addListed(look, Standing.RUNNING, lines, chunk -> lines.add("  " + named(chunk) + "  " + held(chunk)));
        return lines;
    }

    private static void addHead(PlanLook look, List<String> lines) {
        BackfillRecord plan = look.plan();
        lines.add("backfill " + plan.backfillId() + ": " + look.count(Standing.COMPLETED) + " of " + plan.chunks()
                + (plan.chunks() == 1 ? " chunk" : " chunks") + " completed, " + look.recordsLoaded()
                + (look.recordsLoaded() == 1 ? " row" : " rows"));
        lines.add("  pipeline  " + plan.pipeline());
        lines.add("  range     [" + Spelling.of(plan.from()) + " → " + Spelling.of(plan.to()) + ")");
        lines.add("  window    " + plan.chunk());
        lines.add("  zone      " + plan.zone());
        lines.add("  cursor    " + cursor(plan.cursor()));
        if (plan.into() != null) {
            lines.add("  into      " + plan.into());
        }
        lines.add("  restarts  " + plan.restart());
        lines.add("  created   " + plan.createdAt());
        lines.add("  command   " + plan.command());
    }

    /** The cursor; where tokens in a query scope, that. */
    static String cursor(Cursor cursor) {
        return cursor.column().equals(Cursor.TOKENS)
                ? "none: tokens in the query (" + cursor.type() + ")"
                : cursor.toString();
    }

    private static void addListed(PlanLook look, Standing standing, List<String> lines, Consumer<ChunkRecord> add) {
        List<ChunkRecord> chunks = look.standing(standing);
        if (chunks.isEmpty()) {
            return;
        }
        lines.add("");
        lines.add(standing.toString());
        chunks.stream().limit(LISTED).forEach(add);
        if (chunks.size() > LISTED) {
            lines.add("  and " + (chunks.size() - LISTED) + " more");
        }
    }

    private static String named(ChunkRecord chunk) {
        return chunk.chunkId() + "  "
                + new Chunk(Integer.parseInt(chunk.chunkId()), chunk.from(), chunk.to()).spelled();
    }

    private static void addError(@Nullable String error, List<String> lines) {
        List<String> all = error == null ? List.of() : error.lines().toList();
        all.stream().limit(LISTED).forEach(line -> lines.add("    " + line));
        if (all.size() > LISTED) {
            lines.add("    and " + (all.size() - LISTED) + " more lines");
        }
    }

    private static String held(ChunkRecord chunk) {
        Instant since = chunk.claimedAt();
        return chunk.status() + " by " + chunk.claimedBy()
                + (since == null ? "" : " since " + since.truncatedTo(ChronoUnit.SECONDS));
    }
}
