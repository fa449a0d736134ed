package dev.weir.project;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Guesses what a misspelled name was meant to be, for error messages. */
public final class Nearest {

    private static final int LONGEST = 100;

    private Nearest() {}

    /** The known name that differs in few letters, or only in case; empty when none is near. */
    public static Optional<String> to(String name, Collection<String> known) {
        int allowed = Math.max(1, name.length() / 3);
        return known.stream()
                .filter(candidate -> distance(name, candidate) <= allowed)
                .min(Comparator.<String>comparingInt(candidate -> distance(name, candidate))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** {@code did you mean X? known: A, B}, without the question when nothing is near. */
    public static String hint(String name, Collection<String> known) {
        String all = known.isEmpty()
                ? "there are none"
                : "known: " + String.join(", ", known.stream().sorted().toList());
        return to(name, known)
                .map(near -> "did you mean '" + near + "'? " + all)
                .orElse(all);
    }

    private static int distance(String left, String right) {
        String a = left.toLowerCase(Locale.ROOT);
        String b = right.toLowerCase(Locale.ROOT);
        if (a.length() > LONGEST || b.length() > LONGEST) {
            return a.equals(b) ? 0 : LONGEST;
        }
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
