package dev.weir.plan;

import dev.weir.project.Call;
import dev.weir.project.EntitySpec;
import dev.weir.project.WriteSpec;
import java.util.Optional;

/** Prints what to write instead of a sink's options, there where they are written now. */
record SinkLine(Call.Sink call, boolean inCall) {

    /** @param declared what connections.yml says of the sink's entity */
    static SinkLine of(Call.Sink call, Optional<EntitySpec> declared) {
        boolean elsewhere = declared.map(EntitySpec::write)
                .filter(write -> !write.equals(WriteSpec.NONE))
                .isPresent();
        return new SinkLine(call, !elsewhere);
    }

    /** @param options as in a call: {@code strategy: 'merge', keys: ['id']} */
    String with(String options) {
        return inCall
                ? "INSERT INTO {{ sink('" + call.connection().text() + "', '"
                        + call.entity().text().replace("'", "''") + "', " + options + ") }}"
                : "write: { " + options + " }";
    }

    String merge() {
        return with("strategy: 'merge', keys: ['id']") + ", with the columns that tell rows apart as keys";
    }
}
