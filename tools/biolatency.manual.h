// The manuals of strata biolatency and strata bioheat.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kBiolatencyManual =
    "How long the requests of disks take, from their allocation to their completion: what the file system waits for, "
    "and iostat calls await. An average hides what hurts: of 1000 reads at 100 us five that take half a second are an "
    "average of 2.6 ms, which none of them took.\n\n"
    "The database is slow, and somebody says that it is the disk. Is it, and which part of it?\n\n"
    "  # strata biolatency -QD -d 10\n\n"
    "Per disk three histograms: `queue` is the time before the device got the request (it waits for a merge, the "
    "scheduler or a free place in the device), `device` the time that the device took, `total` both. Long queue and "
    "short device: too much I/O at once, look who sends it (-P, -C) and what (-F). Long device: the disk is slow or "
    "shared. Both short: it is not the disk. Two peaks in `device` are often a cache's hits and misses, or reads that "
    "wait behind flushes: -F tells them apart. As a picture over time: strata bioheat.\n\n"
    "An I/O is a request that went to the device: bios that were merged are one, parts that complete one after the "
    "other "
    "are one, and a write that waits for flushes (FUA, fsync) is one, besides the flushes, which are I/O of their own. "
    "One that failed counts. Merged requests keep the earliest start, a requeued one was last given to the device when "
    "it "
    "was issued again. Commands to the driver (SG_IO, SMART) count with --passthrough.\n\n"
    "-P, -p, -t, -c and -- COMMAND mean the task that made the request, never the one that runs when it completes: of "
    "reads, direct and synchronous writes it is the caller, of writeback the kernel's flusher (kworker). A flush is "
    "nobody's. -C and --cgroup mean the group that the kernel charges, which writeback keeps; it charges groups in "
    "which "
    "the io controller is enabled, others' I/O is that of a group above. For a --cgroup without it strata says so and "
    "takes what the group's tasks issue.\n\n"
    "CAVEATS. Where iostats of a disk's queue is 0 the kernel keeps no start: total and queue are then losses, --time "
    "device still works. Kernels from 5.16 to 6.5 may date requests that io_uring allocates in batches too early. "
    "Stacked disks (dm, "
    "md) and those in memory (zram, brd) have no requests; those of the disks below are seen. A loop device's I/O is "
    "seen "
    "twice, as its own and as its file's; so is request-based multipath's: take -D. --disk of a partition takes the "
    "requests in its sectors, which flushes have not.\n\n"
    "OVERHEAD. On 6.1 a direct read of 4 KiB costs 4370 instructions; the histogram adds 340, of which its one program "
    "is 260, because the request itself carries its start. -F adds 660, -D 690, -Q with its three histograms 910, -P "
    "1240. biolatency of libbpf-tools adds 1400, and with -F 1490, -D 1740, -Q 1570: two programs and a hash that "
    "remembers each request. (make bench)\n\n"
    "BESIDE THE TWINS (scripts/twins, 6.12). libbpf-tools 0.37 shows --time device. With -Q it begins at the insertion "
    "into a scheduler, and where a disk has none, again at the issue: of 127 writes to a disk that takes one at a time "
    "its median was 512 to 1023 us, where 143 ms of queue had gone before. biolatency.bt of bpftrace 0.27 knows a start "
    "by its sector alone: of 254 writes to the same places of two disks it counted 237.";

inline constexpr std::string_view kBioheatManual =
    "The latency of disks' requests over time: each column is an interval, each row a range of latencies, and the "
    "darker "
    "a cell the more I/O it has. It is biolatency in another view, with all its options; `strata biolatency --help` "
    "says "
    "what an I/O is, whose it is, and what is not seen.\n\n"
    "A histogram says that 1 % of the reads takes 50 ms. Is that one read in a hundred, always, or all reads of a bad "
    "second, or of a second each minute?\n\n"
    "  # strata bioheat --disk nvme0n1 -d 1m\n\n"
    "A line at the bottom is the disk's usual latency. A second line above it, all along: two kinds of I/O; ask -F. "
    "Columns that reach up at regular distances: something comes by timer, such as writeback (5 s), the journal's "
    "commit "
    "or a scrub. A cloud that rises while the columns darken: the queue grows, more I/O comes than the disk takes; "
    "--time queue "
    "and --time device say which of the two. A band that fills up to a sharp edge: requests wait for one event, such "
    "as a flush.\n\n"
    "  # strata bioheat -i 100ms -d 10s --time device -o heatmap:night.svg\n\n"
    "With -Q, -D, -F, -C, -P there is a map for each. The overhead is biolatency's: one short program for each I/O.";

}  // namespace strata
