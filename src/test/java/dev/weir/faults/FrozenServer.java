package dev.weir.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/**
 * A machine between clients and a server that carries what they say until it is frozen: from then on nothing goes through
 * any more, while its connections stay open and new ones are taken.
 */
final class FrozenServer implements AutoCloseable {

    private final ServerSocket listening;
    private final int serverPort;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean frozen;

    FrozenServer(int serverPort) throws IOException {
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.serverPort = serverPort;
        start(this::accept);
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException e) {
                return;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return listening.getLocalPort();
    }

    void freeze() {
        frozen = true;
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listening.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            sockets.addAll(List.of(client, server));
            start(() -> carry(client, server));
            start(() -> carry(server, client));
        }
    }

    private void carry(Socket from, Socket to) throws IOException, InterruptedException {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        byte[] buffer = new byte[1 << 16];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            if (frozen) {
                closed.await();
            }
            out.write(buffer, 0, read);
        }
        to.close();
    }

    /** Lets go of both sides. */
    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : sockets) {
            socket.close();
        }
        closed.countDown();
    }
}
