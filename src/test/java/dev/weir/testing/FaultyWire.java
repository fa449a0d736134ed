package dev.weir.testing;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between clients and a Postgres server, takes their talk apart into the messages of the protocol, and lets a plan
 * decide what becomes of each.
 *
 * <p>Messages are counted from 1, of all connections and both directions together. Without TLS only. Source of the format:
 * PostgreSQL manual, "Message Formats".
 */
public final class FaultyWire implements AutoCloseable {

    /** What becomes of a message, and of its connection. */
    public sealed interface Fate {

        /** It arrives. */
        Fate PASSES = new Passes();

        /** Both ends see the connection close before it. */
        Fate CUT_BEFORE = new Cut(0);

        /** It arrives, but no answer to it ever comes back; both ends see the connection close. */
        Fate CUT_AFTER = new Cut(Integer.MAX_VALUE);

        /** It does not arrive, and both ends see the connection reset. */
        Fate RESET = new Reset();

        /** It does not arrive, the client sees the connection close, and the server waits on until {@link #release}. */
        Fate SERVER_IS_NOT_TOLD = new ServerIsNotTold();

        record Passes() implements Fate {}

        /**
         * The connection closes in the middle of it.
         *
         * @param after how many of its bytes arrive, at most all of them
         */
        record Cut(int after) implements Fate {}

        record Reset() implements Fate {}

        record ServerIsNotTold() implements Fate {}
    }

    /**
     * One message on its way.
     *
     * @param number its place among all messages
     * @param toServer whether the client sent it
     * @param bytes all of it
     */
    public record Message(int number, boolean toServer, byte[] bytes) {

        /** Its type; of what opens a connection a zero. */
        public char type() {
            return bytes.length > 1 ? (char) bytes[0] : 0;
        }

        public boolean holds(String text) {
            return new String(bytes, StandardCharsets.ISO_8859_1).contains(text);
        }
    }

    /** Decides, on the thread that carries the message: a plan that waits delays it. Called by several threads. */
    @FunctionalInterface
    public interface Plan {

        Plan NONE = message -> Fate.PASSES;

        Fate of(Message message);

        /** For the message of that number. */
        static Plan at(int number, Fate fate) {
            return message -> message.number() == number ? fate : Fate.PASSES;
        }

        /** For each message of the client that holds a text. */
        static Plan saying(String text, Fate fate) {
            return message -> message.toServer() && message.holds(text) ? fate : Fate.PASSES;
        }

        /** For the message that completes what a text begins, so that the server does it. */
        static Plan completing(String text, Fate fate) {
            AtomicBoolean begun = new AtomicBoolean();
            return message -> {
                if (message.toServer() && message.holds(text)) {
                    begun.set(true);
                }
                boolean completes = message.toServer() && message.type() == SYNC && begun.getAndSet(false);
                return completes ? fate : Fate.PASSES;
            };
        }
    }

    private static final char SYNC = 'S';
    private static final int ASKS_FOR_ENCRYPTION = 80_877_103;
    private static final int LARGEST = 1 << 26;

    private final ServerSocket listening;
    private final int serverPort;
    private final Plan plan;
    private final AtomicInteger messages = new AtomicInteger();
    private final List<Talk> talks = new CopyOnWriteArrayList<>();

    public FaultyWire(int serverPort, Plan plan) throws IOException {
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.serverPort = serverPort;
        this.plan = plan;
        start(this::accept);
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException e) {
                return;
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    /** Where clients are to connect, on the loopback. */
    public int port() {
        return listening.getLocalPort();
    }

    /** How many messages have come by. */
    public int messages() {
        return messages.get();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listening.accept();
            try {
                Talk talk = new Talk(client, new Socket(InetAddress.getLoopbackAddress(), serverPort));
                talks.add(talk);
                start(talk::up);
                start(talk::down);
            } catch (IOException e) {
                // There is no server just now: the client finds that out.
                client.close();
            }
        }
    }

    /** Lets go of the server: what was still open there ends. */
    public void release() throws IOException {
        for (Talk talk : talks) {
            talk.server.close();
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        release();
    }

    /** One connection. */
    private final class Talk {

        private final Socket client;
        private final Socket server;
        private volatile boolean isClientGone;

        Talk(Socket client, Socket server) throws IOException {
            this.client = client;
            this.server = server;
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
        }

        private void up() throws IOException {
            DataInputStream in = new DataInputStream(new BufferedInputStream(client.getInputStream()));
            OutputStream out = new BufferedOutputStream(server.getOutputStream());
            try {
                byte[] message = rest(in, new byte[0]);
                if (ByteBuffer.wrap(message).getInt(Integer.BYTES) == ASKS_FOR_ENCRYPTION
                        && carries(true, message, in, out)) {
                    message = rest(in, new byte[0]);
                }
                while (carries(true, message, in, out)) {
                    message = rest(in, new byte[] {in.readByte()});
                }
            } catch (IOException e) {
                if (!isClientGone) {
                    server.close();
                }
            }
        }

        private void down() throws IOException {
            DataInputStream in = new DataInputStream(new BufferedInputStream(server.getInputStream()));
            OutputStream out = new BufferedOutputStream(client.getOutputStream());
            try {
                byte first = in.readByte();
                if (first == 'N' && carries(false, new byte[] {first}, in, out)) {
                    first = in.readByte();
                }
                while (carries(false, rest(in, new byte[] {first}), in, out)) {
                    first = in.readByte();
                }
            } catch (IOException e) {
                client.close();
                server.close();
            }
        }

        /** The message that begins so. */
        private byte[] rest(DataInputStream in, byte[] type) throws IOException {
            int length = in.readInt();
            if (length < Integer.BYTES || length > LARGEST) {
                throw new IOException("a message of " + length + " bytes");
            }
            ByteBuffer message =
                    ByteBuffer.allocate(type.length + length).put(type).putInt(length);
            in.readFully(message.array(), message.position(), message.remaining());
            return message.array();
        }

        /** Whether there is more to carry. */
        private boolean carries(boolean toServer, byte[] bytes, DataInputStream in, OutputStream out)
                throws IOException {
            if (isClientGone) {
                return !toServer;
            }
            Fate fate = plan.of(new Message(messages.incrementAndGet(), toServer, bytes));
            if (fate instanceof Fate.Passes) {
                out.write(bytes);
                if (in.available() == 0) {
                    out.flush();
                }
                return true;
            }
            isClientGone = true;
            if (fate instanceof Fate.Cut cut) {
                cut(toServer, bytes, Math.min(cut.after(), bytes.length), out);
            } else if (fate instanceof Fate.Reset) {
                out.flush();
                client.setSoLinger(true, 0);
                server.setSoLinger(true, 0);
                server.close();
            }
            client.close();
            return false;
        }

        private void cut(boolean toServer, byte[] bytes, int after, OutputStream out) throws IOException {
            out.write(bytes, 0, after);
            out.flush();
            if (toServer) {
                // It hears what was sent, and then that nothing more will come; what it answers is heard by nobody.
                server.shutdownOutput();
            } else {
                server.close();
            }
        }
    }
}
