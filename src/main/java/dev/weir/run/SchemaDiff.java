package dev.weir.run;

import dev.weir.slicing.OnSchemaChange;
import dev.weir.fault.RunException;
import java.util.List;
import java.util.Optional;

/**
 * How the columns of pipelines differ from those of the tables they write and read.
 *
 * @param sinks of the selected pipelines
 * @param sources those that are read with declared columns
 */
public record SchemaDiff(List<OfSink> sinks, List<OfSource> sources) {

    public SchemaDiff {
        sinks = List.copyOf(sinks);
        sources = List.copyOf(sources);
    }

    /** Whether the next run can begin: nothing here is refused. */
    public boolean canBegin() {
        return sinks.stream().allMatch(sink -> sink.refusal().isEmpty())
                && sources.stream().allMatch(source -> source.refusal().isEmpty());
    }

    /** What a column that differs is. */
    public enum Kind {
        /** Only the pipeline, or the source's declaration, has it. */
        NEW,
        /** Only the table has it. */
        GONE,
        /** Both have it, with different types. */
        RETYPED
    }

    /**
     * A column that differs.
     *
     * @param type of the side that has it; of a sink the pipeline's, of a source the declared one
     * @param other the table's type, where both have it
     * @param becomes what the next run does about it, for people
     */
    public record Difference(Kind kind, String column, String type, Optional<String> other, String becomes) {}

    /**
     * A sink.
     *
     * @param exists whether its table is there; if not, the next run creates it
     * @param refusal why the next run cannot write it
     */
    public record OfSink(
            String pipeline,
            String sink,
            OnSchemaChange policy,
            boolean exists,
            List<Difference> differences,
            Optional<RunException> refusal) {

        public OfSink {
            differences = List.copyOf(differences);
        }
    }

    /**
     * A source.
     *
     * @param refusal why the next run cannot read it
     */
    public record OfSource(String source, List<Difference> differences, Optional<RunException> refusal) {

        public OfSource {
            differences = List.copyOf(differences);
        }
    }
}
