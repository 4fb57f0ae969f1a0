// The manual of strata fsdist.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kFsdistManual =
    "Counts how long reads, writes, opens and fsyncs of files take: a histogram for each operation, on all file "
    "systems of this host together or on one (--type, or the names ext4dist, xfsdist, btrfsdist, nfsdist, f2fsdist, "
    "fusedist), apart by file system or process on demand (--by).\n\n"
    "Is the new disk slower, or does the application only write more? Compare a minute of each:\n\n"
    "  # strata fsdist --op read -i 10 -c mysqld\n"
    "  lat of op read: 7200 values\n"
    "  p50 2.43us, p90 3.58us, p99 6.55ms, p99.9 9.96ms, max 21.0ms\n"
    "    [1.02us, 2.05us) |###########                             | 1504\n"
    "    [2.05us, 4.10us) |########################################| 5431\n"
    "      ...\n"
    "    [4.19ms, 8.39ms) |#                                       | 265\n\n"
    "Two hills: the left one is the page cache, the right one the disk. If the right one grew, and not moved, the "
    "disk is as fast as ever and the cache too small (strata cachestat); if it moved to the right, ask strata "
    "biolatency. Which calls they are, with file and process, tells strata fsslower. Each value is counted in a slot "
    "no wider than a sixteenth of it.\n\n"
    "The call is what the application waits for: on hosts that permit function probes at ext4_file_read_iter or its "
    "like, elsewhere (where such tools do not start) at the system calls; see strata fsslower --help for which, and "
    "for what neither sees. Times need no -T and no -m: each interval has its own, and units fit the values.\n\n"
    "OVERHEAD on Linux 6.1 in BPF instructions for a cached write and read of 4 KiB: 940, where ext4dist of "
    "libbpf-tools 0.37 takes 2474. (make bench)\n\n"
    "CAVEATS. Of aio and io_uring the submission is counted, by functions; by system calls they are not seen. An "
    "O_SYNC write is a write and no fsync: of 229 writes xfsdist of libbpf-tools 0.37 and of bpftrace 0.27 counted "
    "211, and 26 fsyncs instead of 8 (scripts/twins). With --by process the table holds 65536 slots; what finds no "
    "room is counted as lost.";

}  // namespace strata
