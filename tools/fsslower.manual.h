// The manual of strata fsslower.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kFsslowerManual =
    "Shows each read, write, open and fsync of a file that took at least 10 ms (-m), on every file system of this "
    "host at once or on one (--type, or the names ext4slower, xfsslower, btrfsslower, nfsslower, f2fsslower, "
    "fuseslower). It is what the application waited for, not what the disk did: a slow disk behind a good cache shows "
    "nothing here, a lock in the file system does.\n\n"
    "Your web shop answers in 20 ms, but one request in a thousand takes a second, and the disk's average looks fine. "
    "Look at what the database waited for:\n\n"
    "  # strata fsslower -c postgres\n"
    "  TIME            COMM           PID OP       SIZE   OFFSET LATENCY CACHE  FILE\n"
    "  09:14:02.360010 postgres      4242 fsync                    1.50s wait   /srv/pg/wal/42\n"
    "  09:14:07.050010 postgres      4242 read     8KiB  9945088  31.2ms miss   /srv/pg/base/16385\n\n"
    "The fsync of the log is the second that was lost: ask strata biosnoop what the disk wrote meanwhile. The read "
    "found its page not in memory (miss): more of them mean too little page cache for this database.\n\n"
    "CACHE says who served a call. Reads: hit (from memory), ahead (from memory, and it began to read ahead), miss "
    "(had to read from the device), wait (read nothing itself, but waited: for a lock, or for what another task "
    "reads). Writes: cached (copied to memory), wait (waited besides: for a lock, the journal, or because there were "
    "too many dirty pages), miss (had to read the rest of a page first), sync (O_SYNC, O_DSYNC: durable at return). "
    "Both: direct (O_DIRECT; direct+sync with both), async (aio or io_uring: only the submission is shown, not its "
    "end), failed (the error is in JSON and in --columns error). Opens: miss, wait or nothing. Fsyncs: wait, or "
    "nothing if nothing had to be written.\n\n"
    "Where the host permits function probes (fentry or kprobe) a call is measured at ext4_file_read_iter or its like; "
    "elsewhere, where such tools do not start, at the system calls read, pread64, readv, preadv, preadv2, their "
    "writing twins, open, creat, openat, openat2, fsync and fdatasync, with the file found by its descriptor (--via; "
    "-v says which).\n\n"
    "OVERHEAD on Linux 6.1 in BPF instructions for a cached write and read of 4 KiB, of which neither is slow: 823, "
    "where ext4slower of libbpf-tools 0.37 takes 2453; with --min 0, where each is shown by its file's name as there, "
    "2236 (4577), and with --file path 3398. (make bench)\n\n"
    "CAVEATS. An O_SYNC write is one write: the file system syncs in it by the function of fsync. Where one start is "
    "kept for a thread, that is an fsync and no write: of 229 writes, of which 17 by O_SYNC, libbpf-tools 0.37 showed "
    "212, and 25 fsyncs instead of 8 (scripts/twins). A kretprobe that the kernel had no room for is counted as a "
    "lost return. By system calls an open contains the walk of its path, a file system below overlay is shown as "
    "overlay, and aio, io_uring, msync and calls of 32-bit programs are not seen. Neither way sees page faults of "
    "mmap(2), directories and, on newer kernels, what splice and sendfile read; an open that failed before it came to "
    "the file system (no such file) is opensnoop's. A call that waits while it fetches the caller's own buffer from "
    "disk is not told from others that wait. A file system whose module is loaded later is not watched: start again. "
    "-m takes a unit, because a bare number means milliseconds elsewhere and seconds here.";

}  // namespace strata
