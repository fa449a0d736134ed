package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.faults.Few.Sinks;
import dev.weir.testing.FaultyWire;
import dev.weir.testing.FaultyWire.Fate;
import dev.weir.testing.FaultyWire.Message;
import dev.weir.testing.OwnPostgres;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What servers do by themselves while a loop is at work, told from what they say to each other. */
class ServerStoriesTest {

    private static final char COPY_DATA = 'd';

    @TempDir
    Path folder;

    @Test
    void aServerMayBeRestartedBetweenPassesWhileOneReadsAndWhileOneWrites() throws IOException {
        Deque<Predicate<Message>> moments = new ArrayDeque<>(List.of(
                Message::toServer,
                message -> !message.toServer() && message.type() == COPY_DATA,
                message -> message.toServer() && message.type() == COPY_DATA));
        AtomicInteger passes = new AtomicInteger();
        try (OwnPostgres server = new OwnPostgres(folder.resolve("data"));
                FaultyWire wire = new FaultyWire(server.database().port(), message -> {
                    if (isTime(passes.get(), moments, message)) {
                        restart(server);
                    }
                    return Fate.PASSES;
                })) {
            Path directory = Files.createDirectory(folder.resolve("restarted"));
            Few few = Few.of(server.database(), directory, Sinks.POSTGRES, wire.port(), wire.port(), 8, 9999);

            WeirProject.Said said = few.run(passes::incrementAndGet);

            assertThat(said.exitCode()).as(said.all()).isZero();
            assertThat(moments).isEmpty();
            assertThat(few.wrong()).isEmpty();
        }
    }

    /** In passes three, five and seven. */
    private static boolean isTime(int pass, Deque<Predicate<Message>> moments, Message message) {
        synchronized (moments) {
            boolean due = pass >= 9 - 2 * moments.size()
                    && !moments.isEmpty()
                    && moments.peek().test(message);
            if (due) {
                moments.remove();
            }
            return due;
        }
    }

    private static void restart(OwnPostgres server) {
        try {
            server.restart();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** So that no idle_in_transaction_session_timeout of the source can end what waits for a slow sink. */
    @Test
    void noTransactionOfTheSourceIsOpenWhileASinkIsWritten() throws IOException {
        Postgres.Database database = Postgres.fresh();
        List<String> open = new CopyOnWriteArrayList<>();
        try (FaultyWire wire = new FaultyWire(database.port(), message -> {
            if (message.toServer() && message.type() == COPY_DATA) {
                open.add(database.value("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                        + " AND application_name LIKE 'weir%' AND xact_start IS NOT NULL"));
            }
            return Fate.PASSES;
        })) {
            Path directory = Files.createDirectory(folder.resolve("open"));
            Few few = Few.of(database, directory, Sinks.POSTGRES, database.port(), wire.port(), 2, 1);

            WeirProject.Said said = few.run(() -> {});

            assertThat(said.exitCode()).as(said.all()).isZero();
            assertThat(new ArrayList<>(open))
                    .as("of the sink's session alone")
                    .hasSizeGreaterThan(5)
                    .containsOnly("1");
        }
    }
}
