package dev.weir.connector.jdbc;

import dev.weir.connector.TableName;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Finds the names somebody may have meant. */
public final class NearNames {

    private static final int SHOWN = 5;

    private NearNames() {}

    /** The tables whose own names are nearest, at most five; those of the same name in another schema first. */
    public static List<String> of(TableName wanted, List<TableName> tables) {
        String name = wanted.table().toLowerCase(Locale.ROOT);
        int far = Math.max(2, name.length() / 3);
        return tables.stream()
                .filter(table -> distance(name, table.table().toLowerCase(Locale.ROOT)) <= far)
                .sorted(Comparator.comparingInt(
                        table -> distance(name, table.table().toLowerCase(Locale.ROOT))))
                .limit(SHOWN)
                .map(TableName::toString)
                .toList();
    }

    /** How many characters must be added, removed or changed. */
    private static int distance(String a, String b) {
        int[] before = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            before[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] now = new int[b.length() + 1];
            now[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                now[j] = Math.min(Math.min(now[j - 1], before[j]) + 1, before[j - 1] + change);
            }
            before = now;
        }
        return before[b.length()];
    }
}
