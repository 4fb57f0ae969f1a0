// The manual of strata fsdist.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kFsdistManual =
    "Counts how long reads, writes, opens and fsyncs of files take: a histogram for each operation, of all file "
    "systems or of one (--type, or the name ext4dist, xfsdist, ...).\n\n"
    "Is the new disk slower, or does the application only write more? Compare:\n\n"
    "  # strata fsdist --op fsync -- python3 db.py\n"
    "  19:02:55, 1.33s; percentiles and max at most 6.25 % too high\n"
    "  lat of op fsync: 600 values\n"
    "  p50 262us, p90 3.54ms, p99 4.06ms, p99.9 21.0ms, max 21.0ms\n"
    "     [65.5us, 131us) |################                        | 88\n"
    "      [131us, 262us) |########################################| 212\n"
    "      [262us, 524us) |#################                       | 93\n"
    "     [524us, 1.05ms) |######                                  | 37\n"
    "    [1.05ms, 2.10ms) |######                                  | 34\n"
    "    [2.10ms, 4.19ms) |#########################               | 134\n"
    "    [4.19ms, 8.39ms) |.                                       | 1\n"
    "    [8.39ms, 16.8ms) |                                        | 0\n"
    "    [16.8ms, 33.6ms) |.                                       | 1\n\n"
    "Two hills: most fsyncs take a quarter of a millisecond, one in four ten times as long. If a hill moved to the "
    "right, ask strata biolatency; if only the right one grew, there are more slow calls, not a slower disk: strata "
    "fsslower shows them, with file and process.\n\n"
    "OVERHEAD on Linux 6.1 in BPF instructions for a cached write and read of 4 KiB: 940, where ext4dist of "
    "libbpf-tools 0.37 takes 2474. (make bench)\n\n"
    "CAVEATS. Of aio and io_uring the submission is counted. More: strata help fsdist.";

inline constexpr std::string_view kFsdistDetails =
    "The links are ext4dist, xfsdist, btrfsdist, nfsdist, f2fsdist and fusedist. Each value is counted in a slot no "
    "wider than a sixteenth of it.\n\n"
    "The call is what the application waits for: on hosts that permit function probes at ext4_file_read_iter or its "
    "like, elsewhere (where such tools do not start) at the system calls; see strata fsslower --help for which, and "
    "for what neither sees. Times need no -T and no -m: each interval has its own, and units fit the values.\n\n"
    "MORE CAVEATS. Of aio and io_uring the submission is counted, by functions; by system calls they are not seen. An "
    "O_SYNC write is a write and no fsync: of 229 writes xfsdist of libbpf-tools 0.37 and of bpftrace 0.27 counted "
    "211, and 26 fsyncs instead of 8 (scripts/twins). With --by process the table holds 65536 slots; what finds no "
    "room is counted as lost.";

}  // namespace strata
