package dev.weir.connector;

import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.RunException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An entity has other columns than those a read was made for. Nothing was read. */
public final class ColumnsChangedException extends RunException {

    private static final long serialVersionUID = 1L;

    /** @param place {@code connection.entity} */
    ColumnsChangedException(String place, List<SourceColumn> before, List<SourceColumn> now) {
        super(new Fault(
                Code.SOURCE,
                place,
                "its columns have changed since this was begun: " + difference(before, now),
                "run again"));
    }

    /** What has changed, for people. */
    private static String difference(List<SourceColumn> before, List<SourceColumn> now) {
        List<String> changes = new ArrayList<>();
        for (SourceColumn column : now) {
            Optional<SourceColumn> former = find(before, column.name());
            if (former.isEmpty()) {
                changes.add(column.name() + " (" + column.sourceType() + ") is new");
            } else if (!former.get().sourceType().equals(column.sourceType())) {
                changes.add(column.name() + " is " + column.sourceType() + " and was "
                        + former.get().sourceType());
            }
        }
        before.stream()
                .filter(column -> find(now, column.name()).isEmpty())
                .forEach(column -> changes.add(column.name() + " is gone"));
        return changes.isEmpty() ? "their order" : String.join(", ", changes);
    }

    private static Optional<SourceColumn> find(List<SourceColumn> columns, String name) {
        return columns.stream().filter(column -> column.name().equals(name)).findFirst();
    }
}
