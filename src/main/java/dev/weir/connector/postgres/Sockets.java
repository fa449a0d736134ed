package dev.weir.connector.postgres;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.SocketFactory;
import org.postgresql.PGProperty;

/**
 * The sockets of one connection to a server, known from before they are connected, so that any thread can end it.
 *
 * <p>Closing a socket ends whatever waits for it, which nothing else does for certain: a server that is reached and says
 * nothing answers no cancel request either. Thread-safe.
 */
final class Sockets {

    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Properties with which the driver makes its sockets here. */
    Properties in(Properties properties) {
        properties.put(Factory.KEY, this);
        PGProperty.SOCKET_FACTORY.set(properties, Factory.class.getName());
        return properties;
    }

    private Socket create() throws SocketException {
        Socket socket = KeepAlive.on(new Socket());
        open.add(socket);
        if (closed) {
            close();
            throw new SocketException("the connection was given up");
        }
        return socket;
    }

    /** Closes all of them, and every further one. Never fails, never waits. */
    void close() {
        closed = true;
        for (Socket socket : open) {
            try {
                socket.close();
            } catch (IOException e) {
                // It is of no use any more, which is what was wanted.
                continue;
            }
        }
    }

    /** Made by the driver, by its name, from the properties of a connection. */
    public static final class Factory extends SocketFactory {

        private static final String KEY = Factory.class.getName();

        private final Sockets sockets;

        /** @param properties those of {@link Sockets#in} */
        public Factory(Properties properties) {
            this.sockets = (Sockets) properties.get(KEY);
        }

        @Override
        public Socket createSocket() throws SocketException {
            return sockets.create();
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return connected(new InetSocketAddress(host, port));
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return connected(new InetSocketAddress(host, port));
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
            return connected(new InetSocketAddress(host, port), new InetSocketAddress(localHost, localPort));
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort)
                throws IOException {
            return connected(new InetSocketAddress(host, port), new InetSocketAddress(localHost, localPort));
        }

        private Socket connected(InetSocketAddress server) throws IOException {
            Socket socket = sockets.create();
            socket.connect(server);
            return socket;
        }

        private Socket connected(InetSocketAddress server, InetSocketAddress local) throws IOException {
            Socket socket = sockets.create();
            socket.bind(local);
            socket.connect(server);
            return socket;
        }
    }
}
