package dev.weir.slicing;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What names a backfill and its chunks, so that the same command finds them again whoever runs it, and where.
 *
 * <p>Plans that cut the same chunks from equal bounds have equal names, however they were spelled; a change of what the
 * rows depend on is not seen here, but by the fingerprint that is stored with the plan. Immutable and thread-safe.
 * Source of the rule: contract, section 6, "Identity".
 *
 * @param pipeline the pipeline's name
 * @param plan its chunks
 * @param cursor the column that {@code --cursor} names; null: not given
 * @param into the connection that {@code --into} names; null: not given
 */
public record BackfillIdentity(
        String pipeline,
        Backfill plan,
        @Nullable String cursor,
        @Nullable String into) {

    private static final int DIGITS = 16;

    /** The text that {@link #backfillId()} is the hash of. */
    public String text() {
        ChunkStep step = plan.step();
        return String.join(
                        "|",
                        pipeline,
                        Spelling.of(plan.from()),
                        Spelling.of(plan.to()),
                        step == null ? "whole" : step.toString())
                + (plan.dependsOnZone() ? "|tz=" + plan.zone() : "")
                + target();
    }

    /** The identity of the plan, 16 hex digits. */
    public String backfillId() {
        return hash(text());
    }

    /** The identity of a chunk, the same in every attempt, 16 hex digits. */
    public String runId(Chunk chunk) {
        return hash(String.join("|", pipeline, Spelling.of(chunk.from()), Spelling.of(chunk.to())) + target());
    }

    private String target() {
        return (cursor == null ? "" : "|cursor=" + cursor) + (into == null ? "" : "|into=" + into);
    }

    private static String hash(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
