package dev.weir.plan;

import dev.weir.connector.Connector;
import dev.weir.connector.Entity;
import dev.weir.connector.TableName;
import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.project.Nearest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A pipeline that writes to the same tables in another connection: to none that it reads, and to none that any pipeline
 * of the project writes. Source of the rule: contract, section 6, {@code --into}.
 */
final class Rehearsal {

    private static final String INTO = "--into";

    private final Plan whole;
    private final PipelineNode pipeline;
    private final String into;
    private final Map<String, PlannedConnection> connections;

    Rehearsal(Plan whole, PipelineNode pipeline, String into) {
        this.whole = whole;
        this.pipeline = pipeline;
        this.into = into;
        this.connections = new HashMap<>(whole.others());
        this.connections.putAll(whole.connections());
    }

    /** The pipeline with its sinks there; as it was, and a fault, when it cannot write there. */
    PipelineNode writing(List<Fault> faults) {
        PlannedConnection connection = connections.get(into);
        if (connection == null) {
            faults.add(new Fault(
                    Code.UNKNOWN_CONNECTION,
                    INTO,
                    "there is no connection '" + into + "'",
                    Nearest.hint(into, connections.keySet())));
            return pipeline;
        }
        int before = faults.size();
        List<SinkNode> sinks = new ArrayList<>();
        for (SinkNode sink : pipeline.sinks()) {
            checkStrategy(connection.connector(), sink, faults);
            checkPlace(connection.database(), sink, faults);
            if (sinks.stream().anyMatch(other -> mayBeOne(other.table(), sink.table()))) {
                refuse(Code.SHARED_SINK, sink, "two sinks of the pipeline would be one table there", faults);
            }
            sinks.add(sink.in(into));
        }
        return faults.size() == before ? pipeline.writing(sinks) : pipeline;
    }

    private void checkStrategy(Connector connector, SinkNode sink, List<Fault> faults) {
        Connector.Capabilities can = connector.capabilities();
        if (can.strategies().isEmpty()) {
            refuse(Code.BAD_STRATEGY, sink, connector.name() + " is no sink", faults);
        } else if (!can.strategies().contains(sink.strategy())) {
            refuse(Code.BAD_STRATEGY, sink, connector.name() + " sinks cannot " + sink.strategy(), faults);
        } else if (sink.exactlyOnce() && !can.transactionalSink()) {
            refuse(Code.BAD_STRATEGY, sink, connector.name() + " sinks cannot deliver exactly once", faults);
        }
    }

    private void checkPlace(String database, SinkNode sink, List<Fault> faults) {
        if (leadsTo(database, sink.connection())) {
            refuse(Code.BAD_VALUE, sink, "that is where the pipeline writes anyway", faults);
            return;
        }
        for (SourceNode source : whole.sources(pipeline)) {
            if (source.entity() instanceof Entity.Table read
                    && leadsTo(database, source.connection())
                    && mayBeOne(read.table(), sink.table())) {
                refuse(Code.BAD_VALUE, sink, "it is what the pipeline reads there: " + source.key(), faults);
            }
        }
        for (PipelineNode other : whole.loaded()) {
            for (SinkNode written : other.sinks()) {
                if (leadsTo(database, written.connection()) && mayBeOne(written.table(), sink.table())) {
                    refuse(Code.SHARED_SINK, sink, "the pipeline " + other.name() + " writes that table there", faults);
                }
            }
        }
    }

    private boolean leadsTo(String database, String connection) {
        return database.equals(connections.get(connection).database());
    }

    /** Only the system knows whether {@code t} and {@code main.t} are one table. */
    private static boolean mayBeOne(TableName one, TableName other) {
        return one.endsIn(other) || other.endsIn(one);
    }

    private void refuse(Code code, SinkNode sink, String why, List<Fault> faults) {
        faults.add(new Fault(
                code,
                INTO,
                sink.id() + " cannot go to " + into + ": " + why,
                "name a connection to a database that is kept for rehearsals"));
    }
}
