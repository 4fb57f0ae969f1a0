// The manual of strata fsslower.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kFsslowerManual =
    "Each read, write, open and fsync of a file that took at least 10 ms (-m), on every file system or on one "
    "(--type, or the names ext4slower, xfsslower, ...). It is what the application waited for, not what the disk did: "
    "a slow disk behind a good cache shows nothing here, a lock in the file system does.\n\n"
    "A program that inserts 200 rows takes a second. What does it wait for?\n\n"
    "  # strata fsslower -m 3ms --columns comm,op,lat_ns,cache,file -- python3 db.py\n"
    "  COMM       OP    LATENCY CACHE  FILE\n"
    "  python3    fsync  21.2ms wait   /srv/shop/shop.db-journal\n"
    "  python3    fsync  3.94ms wait   /srv/shop/shop.db\n\n"
    "It is sqlite: each insert is a transaction, and waits for the disk in fsyncs of the journal and of the data. 354 "
    "took 3 ms and more: insert all rows in one transaction. What the disk wrote meanwhile: strata biosnoop.\n\n"
    "OVERHEAD on Linux 6.1 in BPF instructions for a cached write and read of 4 KiB, neither of them slow: 823; "
    "ext4slower of libbpf-tools 0.37 takes 2453. With --min 0, by name as there, 2236 (4577); with --file path "
    "3398.\n\n"
    "CAVEATS. Page faults of mmap(2) are not seen; of aio and io_uring the submission is. -m takes a unit. CACHE and "
    "--via: strata help fsslower.";

inline constexpr std::string_view kFsslowerDetails =
    "The links are ext4slower, xfsslower, btrfsslower, nfsslower, f2fsslower and fuseslower.\n\n"
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
    "MORE CAVEATS. An O_SYNC write is one write: the file system syncs in it by the function of fsync. Where one "
    "start is kept for a thread, that is an fsync and no write: of 229 writes, of which 17 by O_SYNC, libbpf-tools "
    "0.37 showed 212, and 25 fsyncs instead of 8 (scripts/twins). A kretprobe that the kernel had no room for is "
    "counted as a lost return. By system calls an open contains the walk of its path, a file system below overlay is "
    "shown as overlay, and aio, io_uring, msync and calls of 32-bit programs are not seen. Neither way sees page "
    "faults of mmap(2), directories and, on newer kernels, what splice and sendfile read; an open that failed before "
    "it came to the file system (no such file) is opensnoop's. A call that waits while it fetches the caller's own "
    "buffer from disk is not told from others that wait. A file system whose module is loaded later is not watched: "
    "start again. -m takes a unit, because a bare number means milliseconds elsewhere and seconds here.";

}  // namespace strata
