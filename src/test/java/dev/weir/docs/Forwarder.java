package dev.weir.docs;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Lets a server be reached at another address: a printed project names no port, and the test's server has one. */
final class Forwarder implements AutoCloseable {

    private final ServerSocket listening;
    private final int port;

    private Forwarder(ServerSocket listening, int port) {
        this.listening = listening;
        this.port = port;
        start(this::accept);
    }

    /** @throws IOException when the address is taken, or no address of this machine */
    static Forwarder to(int port, String address, int listen) throws IOException {
        return new Forwarder(new ServerSocket(listen, 0, InetAddress.getByName(address)), port);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "forwarder");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
                start(() -> pump(client, server));
                start(() -> pump(server, client));
            } catch (IOException e) {
                continue;
            }
        }
    }

    /** One direction, until either end closes; then both are closed. */
    private static void pump(Socket from, Socket to) {
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException e) {
            return;
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
