package dev.weir.plan;

import dev.weir.connector.ConnectionSettings;
import dev.weir.connector.Connector;
import dev.weir.project.Limits;

/**
 * A connection the plan uses, and the connector that opens it.
 *
 * @param limits how gently it is used
 */
public record PlannedConnection(ConnectionSettings settings, Connector connector, Limits limits) {

    /** What it leads to: two that lead to one database say the same; where that cannot be told, its own name. */
    public String database() {
        String name = settings.name();
        return connector
                .leadsTo(settings)
                .map(database -> connector.name() + " " + database)
                .orElse(name);
    }

    /** The same connection, opened for writing or not. */
    public PlannedConnection written(boolean written) {
        ConnectionSettings same =
                new ConnectionSettings(settings.name(), settings.options(), settings.projectDir(), written);
        return new PlannedConnection(same, connector, limits);
    }
}
