package dev.weir.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;

/** A server of a test's own, which it may stop and start; it keeps its data and its port. */
public final class OwnPostgres implements AutoCloseable {

    private final Path data;
    private EmbeddedPostgres server;

    /** @param data where it keeps its data; made here */
    public OwnPostgres(Path data) throws IOException {
        this.data = data;
        this.server = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setServerConfig("fsync", "off")
                .start();
    }

    public Postgres.Database database() {
        return new Postgres.Database("postgres", server.getPort());
    }

    /** Ends every connection, and is there again. */
    public void restart() throws IOException {
        int port = server.getPort();
        server.close();
        server = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setServerConfig("fsync", "off")
                .setPort(port)
                .start();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
