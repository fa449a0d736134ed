package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CaseProject.Into;
import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** A table read under a numeric cursor, and transactions that write into it and do not end before they are told to. */
abstract class SettlingCase {

    static final String[] LOOP = {"run", "--all", "--until-caught-up"};
    static final String WAITING = "waiting for writers to end";
    static final String UP_TO = "cursor: id, max_window: 10, initial: 0, until: 1000";
    static final String PATIENT = UP_TO + ", settle_timeout: 20s";
    static final String HASTY = UP_TO + ", settle_timeout: 50ms";
    static final String ALL = "SELECT id, v FROM t ORDER BY id";
    static final String TABLE = "CREATE TABLE t (id bigserial PRIMARY KEY, v text)";
    static final String INSERT = "INSERT INTO t (v) VALUES ('one')";

    @TempDir
    Path folder;

    final List<Connection> opened = new ArrayList<>();
    CaseProject copy;

    void tables(Into into, String... statements) {
        copy = new CaseProject(folder, into).given(statements);
    }

    @AfterEach
    void end() throws SQLException {
        for (Connection connection : opened) {
            connection.close();
        }
    }

    /** A transaction that has executed the statement, and goes on. */
    Connection writes(String sql) throws SQLException {
        Connection connection = connection();
        connection.setAutoCommit(false);
        execute(connection, sql);
        return connection;
    }

    Connection connection() throws SQLException {
        Connection connection = copy.source.connect();
        opened.add(connection);
        return connection;
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static Runnable committing(Connection writer) {
        return () -> {
            try {
                writer.commit();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        };
    }

    /** The loop, and something that happens when it says that it waits. */
    WeirProject.Said loopAnd(Runnable whenItWaits) {
        AtomicBoolean happened = new AtomicBoolean();
        return copy.project.overheard(
                line -> {
                    if (line.contains(WAITING) && happened.compareAndSet(false, true)) {
                        whenItWaits.run();
                    }
                },
                LOOP);
    }

    WeirProject.Said runs(String sync) {
        return copy.sync(sync).succeeded(LOOP);
    }

    void loadedAre(String... ids) {
        assertThat(copy.loaded("SELECT id FROM t ORDER BY id")).containsExactly(ids);
    }
}
