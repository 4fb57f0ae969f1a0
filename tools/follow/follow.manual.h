// The manual of strata follow.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kFollowManual =
    "Of N writes one is taken, and only that one is followed: through the page cache, writeback, bio, request and "
    "driver to the completion by the device. The others pass a counter. For each sample a tree of hops is printed, "
    "with the time from its start and since the hop before; at the end where the time of all samples went, layer by "
    "layer, and the account of what became of them.\n\n"
    "Your database says that a write took 10 us, yet a crash a minute later lost it, and fsync takes 50 ms: where "
    "does that time go? Take a few writes and look:\n\n"
    "  # strata follow write --sample 1/1000 --limit 20 -p $(pidof -s postgres)\n\n"
    "Above the rule stands what the application waited for: enter, dirty, leave, all in microseconds. Below it stands "
    "what happened behind its back: how long the page lay dirty, who had it written and why (cause fsync, periodic, "
    "background, sync, reclaim, or the writer itself), how long its bio waited to be merged and issued (block), and "
    "how long the disk took (device). A large share of block is a queue that is too long, a large share of device a "
    "slow disk, a large share of page cache only says that nobody asked for the data to be durable.\n\n"
    "OVERHEAD. A 4 KiB write to a dirty page costs 2645 instructions on 6.1. Functions add 355 to it at 1/1000 and "
    "337 with nothing sampled, tracepoints 252 and 237; empty programs on the same hooks add 294 and 183. A histogram "
    "of vfs_write by bpftrace 0.27 adds 2271, perf trace 6373.\n\n"
    "CAVEATS. Completed means that the device has acknowledged the bytes: without a flush they may lie in its "
    "volatile cache. mmap is not followed. What becomes of a sample, and what is not seen: strata help follow.";

inline constexpr std::string_view kFollowDetails =
    "Where the host permits function probes (fentry or kprobe), a sample begins at ext4_file_write_iter or its like, "
    "which also sees aio, io_uring and splice, and ends at the end of writeback. Where only tracepoints are "
    "permitted, it begins at the system call (write, pwrite64, writev, pwritev, pwritev2, sendfile, splice) and ends "
    "at the completion of the request. The last line of the summary says which.\n\n"
    "ACCOUNT. Every sample ends in one of: completed (every byte is on the device), not written back when the run "
    "ended, truncated or unlinked before writeback, failed with an error, or lost, with the reason. They add up. "
    "Completed (stored with the metadata) means that fsync returned and the file is so small that the file system "
    "kept it in its inode.\n\n"
    "MORE CAVEATS. Completed means that the device has acknowledged the bytes: without a flush they may lie in its "
    "volatile cache. The data are followed by their place in the file: a page that is written again before its "
    "writeback is completed by the same I/O. Not followed: mmap; by tracepoints aio, io_uring, copy_file_range and "
    "files of overlayfs; by functions file systems other than ext4, xfs, btrfs, f2fs and block devices (take --via "
    "tracepoints). Where the file system writes other pages than the file's (fscrypt, compression), a sample is lost: "
    "no I/O seen. On dm-crypt the upper half is seen. A write of more than 64 MiB is lost. Threads that append "
    "through one descriptor may be given each other's positions by tracepoints. With --every, counting is exact while "
    "one thread writes at a time.\n\n"
    "On a preemptible kernel (7.x of Debian) the kernel skips a program on a CPU where a task was preempted in it. "
    "That is rare at 1/1000 and frequent when many threads write at once under --every 1; each skip is counted as a "
    "loss.\n\n"
    "The price in more detail. By tracepoints every other system call pays about 240 too. Between two windows of "
    "--window writes pay nothing by functions, and by tracepoints nothing once all samples have ended. (make bench)";

}  // namespace strata
