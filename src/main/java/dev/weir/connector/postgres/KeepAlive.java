package dev.weir.connector.postgres;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.util.Map;
import jdk.net.ExtendedSocketOptions;

/**
 * Has a peer that is gone without a word missed within about a minute, where the system's own keep-alive takes hours.
 *
 * <p>That is while weir waits for an answer. What weir has sent and the peer never acknowledged is sent again by the system
 * for as long as it likes, on Linux about a quarter of an hour (tcp_retries2): Java has no option for it.
 */
final class KeepAlive {

    static final int SECONDS_UNTIL_ASKED = 30;
    static final int SECONDS_BETWEEN = 10;
    static final int TIMES_ASKED = 3;

    private static final Map<SocketOption<Integer>, Integer> OPTIONS = Map.of(
            ExtendedSocketOptions.TCP_KEEPIDLE, SECONDS_UNTIL_ASKED,
            ExtendedSocketOptions.TCP_KEEPINTERVAL, SECONDS_BETWEEN,
            ExtendedSocketOptions.TCP_KEEPCOUNT, TIMES_ASKED);

    private KeepAlive() {}

    /** The same socket, watched. */
    static Socket on(Socket socket) throws SocketException {
        socket.setKeepAlive(true);
        try {
            for (Map.Entry<SocketOption<Integer>, Integer> option : OPTIONS.entrySet()) {
                // Windows learnt them late.
                if (socket.supportedOptions().contains(option.getKey())) {
                    socket.setOption(option.getKey(), option.getValue());
                }
            }
            return socket;
        } catch (SocketException e) {
            throw e;
        } catch (IOException e) {
            throw (SocketException) new SocketException("keep-alive cannot be set").initCause(e);
        }
    }
}
