package dev.weir.plan;

import dev.weir.connector.TableName;
import dev.weir.fault.Code;
import dev.weir.fault.UsageException;
import dev.weir.project.Nearest;
import java.util.List;

/** Finds the source a user's KEY means, as in {@code state show pg_prod.orders}. */
public final class Keys {

    private Keys() {}

    /**
     * The source of that key, or the only one of its connection whose name ends in the key's.
     *
     * @throws UsageException {@code WR0204} listing the candidates when two end in it, {@code WR0203} listing all when
     *     none does
     */
    public static SourceNode resolve(Plan plan, String key) {
        List<SourceNode> found = plan.sources().stream()
                .filter(source -> source.key().equals(key))
                .toList();
        if (found.isEmpty()) {
            found = plan.sources().stream()
                    .filter(source -> endsIn(source, key))
                    .toList();
        }
        String place = key.isBlank() ? "KEY" : key;
        List<String> known = plan.sources().stream().map(SourceNode::key).toList();
        if (found.isEmpty()) {
            throw new UsageException(
                    Code.UNKNOWN_ENTITY, place, "no pipeline reads '" + key + "'", Nearest.hint(key, known));
        }
        if (found.size() > 1) {
            String both = String.join(", ", found.stream().map(SourceNode::key).toList());
            throw new UsageException(
                    Code.AMBIGUOUS_ENTITY, place, "'" + key + "' means more than one entity", "write one of: " + both);
        }
        return found.get(0);
    }

    private static boolean endsIn(SourceNode source, String key) {
        String prefix = source.connection() + ".";
        if (!key.startsWith(prefix)) {
            return false;
        }
        try {
            TableName wanted = TableName.parse(key.substring(prefix.length()));
            return TableName.parse(source.entity().name()).endsIn(wanted);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
