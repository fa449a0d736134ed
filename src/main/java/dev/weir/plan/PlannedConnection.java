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

    /** The same connection, opened for writing or not. */
    public PlannedConnection written(boolean written) {
        ConnectionSettings same =
                new ConnectionSettings(settings.name(), settings.options(), settings.projectDir(), written);
        return new PlannedConnection(same, connector, limits);
    }
}
