package dev.weir.connector;

import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import java.util.List;
import java.util.Optional;

/**
 * Recognizes that DuckDB has no room left, on a disk or in its memory, and says what to do.
 *
 * <p>DuckDB tells that only in the words of its message, and what it advises there is not in weir's reach.
 */
public final class OutOfRoom {

    private static final List<String> DISK =
            List.of("No space left on device", "File too large", "Disk quota exceeded", "not enough space on the disk");

    /** A disk for spilling that is full is told as memory that is full. */
    private static final List<String> MEMORY = List.of(
            "Out of Memory Error",
            "failed to offload data block",
            "failed to pin block",
            "could not allocate block",
            // Only what is spilled needs a folder.
            "Failed to create directory");

    private OutOfRoom() {}

    /**
     * The fault, if that is what the message says.
     *
     * @param place what it names: {@code connection.entity}, or the pipeline's file
     * @param message DuckDB's, with as many lines as it likes
     */
    public static Optional<Fault> fault(Code code, String place, String message) {
        String said = message.lines().findFirst().orElse(message).strip();
        if (isAnyIn(DISK, message)) {
            return Optional.of(new Fault(
                    code,
                    place,
                    "there is no room left on a disk: " + said,
                    "make room there and run again; nothing was half written"));
        }
        return isAnyIn(MEMORY, message)
                ? Optional.of(new Fault(
                        code,
                        place,
                        said,
                        "raise memory in weir.yml, make max_window smaller, or see that DuckDB has room, and may write,"
                                + " where it spills, in .weir/tmp or spill; nothing was half written"))
                : Optional.empty();
    }

    private static boolean isAnyIn(List<String> words, String message) {
        return words.stream().anyMatch(message::contains);
    }
}
