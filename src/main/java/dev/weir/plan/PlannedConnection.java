package dev.weir.plan;

import dev.weir.connector.ConnectionSettings;
import dev.weir.connector.Connector;

/** A connection the plan uses, and the connector that opens it. */
public record PlannedConnection(ConnectionSettings settings, Connector connector) {}
