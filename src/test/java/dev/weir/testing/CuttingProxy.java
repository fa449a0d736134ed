package dev.weir.testing;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Stands between a client and a server, and cuts the client off when it sends a certain text: before the server hears it, or
 * after the server has answered.
 */
public final class CuttingProxy implements AutoCloseable {

    /** When the connection breaks. */
    public enum Cut {
        /** The text never reaches the server, whose side stays open until the proxy is closed. */
        BEFORE_THE_SERVER_HEARS,
        /** The server does what it was told; its answer never comes back. */
        BEFORE_THE_CLIENT_HEARS
    }

    private final ServerSocket listening;
    private final int serverPort;
    private final Cut cut;
    private final byte[] text;
    private final List<Socket> servers = new CopyOnWriteArrayList<>();

    public CuttingProxy(int serverPort, Cut cut, String text) throws IOException {
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.serverPort = serverPort;
        this.cut = cut;
        this.text = text.getBytes(StandardCharsets.UTF_8);
        start(this::accept);
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

    private interface Work {
        void run() throws IOException;
    }

    public int port() {
        return listening.getLocalPort();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listening.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            servers.add(server);
            start(() -> upstream(client, server));
            start(() -> downstream(server, client));
        }
    }

    private void upstream(Socket client, Socket server) throws IOException {
        byte[] buffer = new byte[1 << 16];
        InputStream in = client.getInputStream();
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            if (!holdsText(buffer, read)) {
                server.getOutputStream().write(buffer, 0, read);
                continue;
            }
            if (cut == Cut.BEFORE_THE_CLIENT_HEARS) {
                client.shutdownOutput();
                server.getOutputStream().write(buffer, 0, read);
            }
            client.close();
            return;
        }
        server.close();
    }

    private boolean holdsText(byte[] buffer, int length) {
        return new String(buffer, 0, length, StandardCharsets.ISO_8859_1)
                .contains(new String(text, StandardCharsets.ISO_8859_1));
    }

    /** What the server says, and its going too. */
    private static void downstream(Socket server, Socket client) throws IOException {
        try (client) {
            server.getInputStream().transferTo(client.getOutputStream());
        }
    }

    /** Lets go of the server: what was still open there ends. */
    public void release() throws IOException {
        for (Socket server : servers) {
            server.close();
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        release();
    }
}
