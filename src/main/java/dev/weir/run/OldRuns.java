package dev.weir.run;

import dev.weir.event.RunFiles;
import dev.weir.fault.IoReason;
import dev.weir.fault.RunException;
import dev.weir.project.Retention;
import dev.weir.state.Retained;
import dev.weir.state.StateStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Forgets runs that retention lets go: their folders, then their rows in the history.
 *
 * <p>Positions, edits and refreshes are never touched, nor a run that lives, nor the row of a run that some position's
 * history still names: a rollback goes back to it. Folders go first, so that a process that dies in between leaves rows
 * without a folder, and those are found again. What cannot be removed is a note.
 */
final class OldRuns {

    /** How many are forgotten at once, beside as many as this invocation made: an invocation ends soon. */
    static final int AT_ONCE = 1_000;

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssSSS", Locale.ROOT).withResolverStyle(ResolverStyle.STRICT);

    private final StateStore state;
    private final RunFiles files;
    private final Consumer<String> notes;

    OldRuns(StateStore state, Path weirDir, Consumer<String> notes) {
        this.state = state;
        this.files = RunFiles.in(weirDir);
        this.notes = notes;
    }

    /** @param made how many runs this invocation made */
    void forget(Retention retention, Instant now, int made) {
        int most = AT_ONCE + made;
        try {
            Instant since = now.minus(Duration.ofDays(retention.days()));
            // Listed first: a run that begins meanwhile is not among them.
            Set<String> folders = files.ids();
            Retained runs = state.retained(retention.runs(), since);
            Set<String> left = removeFolders(folders, runs, since, most);
            Set<String> forgotten = new HashSet<>(runs.released());
            forgotten.removeAll(left);
            state.forget(forgotten, most);
        } catch (RunException e) {
            notes.accept("old runs are not forgotten: " + e.getMessage());
        } catch (IOException e) {
            notes.accept("old runs are not forgotten: " + IoReason.of(e) + "; the run itself is not affected");
        }
    }

    /** @return the folders that are still there */
    private Set<String> removeFolders(Set<String> folders, Retained runs, Instant since, int most) throws IOException {
        Set<String> left = new HashSet<>(folders);
        int removed = 0;
        for (String folder : folders) {
            boolean unknown = !runs.kept().contains(folder)
                    && began(folder).filter(since::isAfter).isPresent();
            if (removed < most && (runs.released().contains(folder) || unknown)) {
                files.remove(folder);
                left.remove(folder);
                removed++;
            }
        }
        return left;
    }

    /** Empty for a folder that only looks as if a run had made it: there is no such time. */
    private static Optional<Instant> began(String runId) {
        try {
            return Optional.of(LocalDateTime.parse(runId.substring(0, runId.indexOf('Z')), TIME)
                    .toInstant(ZoneOffset.UTC));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
