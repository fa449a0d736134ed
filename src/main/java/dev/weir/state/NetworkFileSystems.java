package dev.weir.state;

import java.util.Locale;
import java.util.Set;

/** Which file systems are shared over a network, so that the locks of one machine may not bind the others. */
final class NetworkFileSystems {

    private static final Set<String> NAMES = Set.of(
            "9p",
            "acfs",
            "afs",
            "afpfs",
            "beegfs",
            "ceph",
            "cifs",
            "coda",
            "davfs",
            "davfs2",
            "fuse",
            "gfs",
            "gfs2",
            "glusterfs",
            "gpfs",
            "lustre",
            "macfuse",
            "ncp",
            "ncpfs",
            "ocfs2",
            "orangefs",
            "osxfuse",
            "panfs",
            "prl_fs",
            "pvfs2",
            "smbfs",
            "sshfs",
            "vboxsf",
            "vmhgfs",
            "webdav");

    private NetworkFileSystems() {}

    /** @param type as {@link java.nio.file.FileStore#type()} tells it: {@code ext4}, {@code nfs4}, {@code fuse.sshfs} */
    static boolean include(String type) {
        String name = type.toLowerCase(Locale.ROOT);
        // fuseblk is a local disk with a foreign format; every other fuse may be anything, most often remote.
        return NAMES.contains(name)
                || name.startsWith("nfs")
                || name.startsWith("smb")
                || name.startsWith("fuse.")
                || name.startsWith("fusefs");
    }
}
