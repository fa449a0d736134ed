package dev.weir.run;

import dev.weir.connector.Column;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some rows of a pipeline's next slice. Immutable.
 *
 * @param columns what its SQL yields
 * @param rows each value as text; null: NULL
 * @param total how many rows the slice yields, all of them
 */
public record Preview(List<Column> columns, List<List<@Nullable String>> rows, long total) {}
