// The manuals of strata biolatency and strata bioheat.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kBiolatencyManual =
    "How long the requests of disks take, from their allocation to their completion: what the file system waits for, "
    "and iostat calls await.\n\n"
    "The database is slow, and somebody says that it is the disk. Is it, and which part of it?\n\n"
    "  # strata biolatency -Q -- ./both\n"
    "  lat of time device: 3021 values\n"
    "  p50 47.1us, p90 63.5us, p99 983us, p99.9 1.51ms, max 19.9ms\n"
    "  lat of time queue: 3021 values\n"
    "  p50 1.53us, p90 2.30us, p99 31.5ms, p99.9 37.7ms, max 39.8ms\n\n"
    "(Without bars and total.) A script writes with tar and reads with dd. Nearly all I/O takes 47 us at the device, "
    "but one in a hundred waited 31 ms in the queue. Long queue and short device, as here: too much I/O at once, look "
    "who sends it (-P, -C) and what (-F). Long device: the disk is slow or shared. Both short: it is not the disk.\n\n"
    "OVERHEAD. On 6.1 a direct read of 4 KiB costs 4380 instructions; the histogram adds 344, of which its one program "
    "is 328, because the request itself carries its start. Programs alone: -F 642, -D 674, -Q 886, -P 1202; those of "
    "libbpf-tools 0.37, two and a hash of all requests, 1345, and with -F 1429, -D 1691, -Q 1518.\n\n"
    "CAVEATS. biosnoop shows what a caller waited for, this counts what the disk did: one flush that several wait for "
    "is one I/O. Whose I/O is whose, and what is not seen: strata help biolatency.";

inline constexpr std::string_view kBiolatencyDetails =
    "An average hides what hurts: of 1000 reads at 100 us five that take half a second are an average of 2.6 ms, "
    "which none of them took.\n\n"
    "Two peaks in `device` are often a cache's hits and misses, or reads that wait behind flushes: -F tells them "
    "apart. As a picture over time: strata bioheat.\n\n"
    "An I/O is a request that went to the device: bios that were merged are one, parts that complete one after the "
    "other are one, and a write that waits for flushes (FUA, fsync) is one, besides the flushes, which are I/O of "
    "their own; it ends when its data is written. (biosnoop has a row for each request of a caller, with the flushes "
    "before and after its data.) One that failed counts. Merged requests keep the earliest start, a requeued one was "
    "last given to the device when it was issued again. Commands to the driver (SG_IO, SMART) count with "
    "--passthrough.\n\n"
    "-P, -p, -t, -c and -- COMMAND mean the task that made the request, never the one that runs when it completes: of "
    "reads, direct and synchronous writes it is the caller, of writeback the kernel's flusher (kworker). A flush is "
    "nobody's. -C and --cgroup mean the group that the kernel charges, which writeback keeps; it charges groups in "
    "which the io controller is enabled, others' I/O is that of a group above. For a --cgroup without it strata says "
    "so and takes what the group's tasks issue.\n\n"
    "MORE CAVEATS. Where iostats of a disk's queue is 0 the kernel keeps no start: total and queue are then losses, "
    "--time device still works. Kernels from 5.16 to 6.5 may date requests that io_uring allocates in batches too "
    "early. Stacked disks (dm, md) and those in memory (zram, brd) have no requests; those of the disks below are "
    "seen. A loop device's I/O is seen twice, as its own and as its file's; so is request-based multipath's: take -D. "
    "--disk of a partition takes the requests in its sectors, which flushes have not.\n\n"
    "BESIDE THE TWINS (scripts/twins, 6.12). libbpf-tools 0.37 shows --time device. With -Q it begins at the "
    "insertion into a scheduler, and where a disk has none, again at the issue: of 127 writes to a disk that takes "
    "one at a time its median was 512 to 1023 us, where 143 ms of queue had gone before. biolatency.bt of bpftrace "
    "0.27 knows a start by its sector alone: of 254 writes to the same places of two disks it counted 237.";

inline constexpr std::string_view kBioheatManual =
    "The latency of disks' requests over time: each line is an interval, each column a range of latencies, and the "
    "darker a cell the more I/O it has. It is biolatency in another view, with all its options; `strata help "
    "biolatency` says what an I/O is, whose it is, and what is not seen.\n\n"
    "A histogram says that 1 % of the reads takes 50 ms. Is that one read in a hundred, always, or all reads of a bad "
    "second, or of a second each minute?\n\n"
    "  # strata bioheat -i 100ms -- ./both\n"
    "  lat: time down, value across, values in a cell as a shade:\n"
    "    . 1  : 2  - 4  = 8  + 16  * 32  # 64  % 128  @ 256 or more\n"
    "  TIME                    |1ms         |10ms        |100ms      COUNT   MAX <=\n"
    "  19:05:05.032 |          .            .  ...               |       5   22.0ms\n"
    "  19:05:05.129 |        :  . .         -+++*---:            |     132   35.7ms\n"
    "  19:05:05.228 |                             :.::-:-=-      |      30    113ms\n\n"
    "While the pages of a tar are written, the slowest I/O of each interval takes longer, 22, 36, then 113 ms, and "
    "fewer are fast. --time queue and --time device say which of the two grows.\n\n"
    "A second band at some distance, all along: two kinds of I/O; ask -F. Lines that reach to the right at regular "
    "times: a timer, as of writeback (5 s) or the journal's commit. As a picture, SVG or HTML: -o heatmap:night.svg. "
    "With -Q, -D, -F, -C, -P there is a map for each.\n\n"
    "OVERHEAD and CAVEATS are biolatency's: one short program for each I/O.";

}  // namespace strata
