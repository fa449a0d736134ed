package dev.weir.state;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Which process on which machine, so that a person can find it.
 *
 * @param host the machine's name, as it calls itself
 * @param pid the process id there
 */
public record ProcessIdentity(String host, long pid) {

    private static final Path KERNELS_NAME = Path.of("/proc/sys/kernel/hostname");

    /** This process. Asks no name server where the kernel knows the name. */
    public static ProcessIdentity current() {
        return new ProcessIdentity(hostName(), ProcessHandle.current().pid());
    }

    private static String hostName() {
        try {
            String name = Files.readString(KERNELS_NAME).strip();
            return name.isEmpty() ? InetAddress.getLocalHost().getHostName() : name;
        } catch (IOException e) {
            return lookedUp();
        }
    }

    private static String lookedUp() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }

    /** Whether this names a process of our own machine that is certainly no more. */
    boolean isGone(ProcessIdentity self) {
        return host.equals(self.host) && ProcessHandle.of(pid).isEmpty();
    }
}
