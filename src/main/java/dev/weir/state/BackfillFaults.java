package dev.weir.state;

import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import java.nio.file.Path;

/** The messages about plans that are not what an invocation takes them for. */
final class BackfillFaults {

    private BackfillFaults() {}

    static RunException startedOver(BackfillKey key, long restart) {
        return new RunException(
                Code.HELD_ELSEWHERE,
                place(key.backfillId()),
                "it was started over by another invocation: its restart number is " + restart
                        + " now, and this invocation works under " + key.restart(),
                "run the same command again, without --restart: it takes up what is left to do");
    }

    static RunException gone(Path file, BackfillKey key) {
        return StateFaults.refused(
                file,
                "the plan " + key.backfillId() + " of project " + key.project() + " is no longer in it",
                "run the same command again: what the sinks hold of the plan is found there");
    }

    static RunException busy(String backfillId, String what) {
        return new RunException(
                Code.HELD_ELSEWHERE,
                place(backfillId),
                what,
                "run again when those have got further, or with --wait and a longer time, as in --wait 10m");
    }

    static RunException otherChunk(BackfillRecord plan, String chunkId, String stored, String given) {
        return new RunException(
                Code.STATE,
                place(plan.backfillId()),
                "chunk " + chunkId + " was " + stored + " when the plan was made, and would be " + given + " now",
                "the rules of time zone " + plan.zone() + ", or weir's own, divide the range otherwise today: run with"
                        + " --restart, which replays all of it in today's chunks");
    }

    private static String place(String backfillId) {
        return "backfill " + backfillId;
    }
}
