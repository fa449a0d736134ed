package dev.weir.run;

import dev.weir.connector.Column;
import dev.weir.plan.PipelineNode;
import java.util.List;
import java.util.Optional;

/**
 * A pipeline whose SQL was bound against its sources' columns.
 *
 * @param columns what its SQL yields
 * @param orderBy the column that decides between rows of one key; empty: none does
 */
record BoundPipeline(PipelineNode node, List<Column> columns, Optional<String> orderBy) {}
