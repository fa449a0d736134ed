package dev.weir.plan;

import dev.weir.connector.TableName;

/** One entity of one connection, by its full name. */
record EntityRef(String connection, TableName name) implements Comparable<EntityRef> {

    /** {@code connection.entity}. */
    String key() {
        return connection + "." + name;
    }

    @Override
    public int compareTo(EntityRef other) {
        return key().compareTo(other.key());
    }
}
