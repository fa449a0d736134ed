package dev.weir.run;

import dev.weir.fault.Fault;
import dev.weir.fault.UsageException;
import dev.weir.plan.CompiledSql;
import dev.weir.plan.RenderContext;
import dev.weir.project.Place;
import java.util.function.Function;

/**
 * A pipeline's SQL as DuckDB reads it; what DuckDB finds wrong is told at the place in the pipeline's file.
 *
 * @param file the pipeline's file
 */
record WrittenSql(Place file, CompiledSql sql, RenderContext context) {

    /** @throws UsageException as it was thrown, its faults at the places they were written at */
    <T> T read(Function<String, T> reader) {
        try {
            return reader.apply(sql.render(context));
        } catch (UsageException e) {
            throw new UsageException(e.faults().stream().map(this::written).toList());
        }
    }

    private Fault written(Fault fault) {
        return new Fault(fault.code(), written(fault.place()), fault.what(), fault.remedy());
    }

    /** Where a place of the statement as it was read is written; any other place as it is. */
    String written(String readAt) {
        Place place = Place.parse(readAt);
        return place.line() > 0 && place.file().equals(file.file())
                ? sql.written(context, place).toString()
                : readAt;
    }
}
