package dev.weir.connector.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketOption;
import java.util.Map;
import javax.net.SocketFactory;
import jdk.net.ExtendedSocketOptions;

/**
 * Sockets on which a peer that is gone without a word is missed within about a minute, where the system's own keep-alive
 * takes hours.
 *
 * <p>That is while weir waits for an answer. What weir has sent and the peer never acknowledged is sent again by the system
 * for as long as it likes, on Linux about a quarter of an hour (tcp_retries2): Java has no option for it. Made by the driver,
 * by name. Thread-safe.
 */
public final class WatchedSockets extends SocketFactory {

    static final int SECONDS_UNTIL_ASKED = 30;
    static final int SECONDS_BETWEEN = 10;
    static final int TIMES_ASKED = 3;

    private static final Map<SocketOption<Integer>, Integer> OPTIONS = Map.of(
            ExtendedSocketOptions.TCP_KEEPIDLE, SECONDS_UNTIL_ASKED,
            ExtendedSocketOptions.TCP_KEEPINTERVAL, SECONDS_BETWEEN,
            ExtendedSocketOptions.TCP_KEEPCOUNT, TIMES_ASKED);

    @Override
    public Socket createSocket() {
        Socket socket = new Socket();
        try {
            watch(socket);
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Socket watch(Socket socket) throws IOException {
        socket.setKeepAlive(true);
        for (Map.Entry<SocketOption<Integer>, Integer> option : OPTIONS.entrySet()) {
            // Windows learnt them late.
            if (socket.supportedOptions().contains(option.getKey())) {
                socket.setOption(option.getKey(), option.getValue());
            }
        }
        return socket;
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return watch(new Socket(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress from, int fromPort) throws IOException {
        return watch(new Socket(host, port, from, fromPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return watch(new Socket(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) throws IOException {
        return watch(new Socket(host, port, from, fromPort));
    }
}
