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
        Place place = Place.parse(fault.place());
        return place.line() > 0 && place.file().equals(file.file())
                ? new Fault(fault.code(), sql.written(context, place).toString(), fault.what(), fault.remedy())
                : fault;
    }
}
