// The manual of strata iosize.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kIosizeManual =
    "How large are the reads and writes that programs ask the kernel for? Each system call costs some hundred "
    "instructions, or some thousand with a file system, whatever its size: a program that writes a gigabyte 16 bytes "
    "at a time spends its time there.\n\n"
    "A program takes all of a CPU and yet writes only some MB. What does it do?\n\n"
    "  # strata iosize --calls write -- python3 log.py\n"
    "  19:02:55.992, 471ms; percentiles and max at most 6.25 % too high\n"
    "  size of call write: 100093 values\n"
    "  p50 16B, p90 16B, p99 16B, p99.9 16B, max 4.25KiB\n"
    "    ...\n"
    "          [16B, 32B) |########################################| 100010\n"
    "    ...\n"
    "        [4KiB, 8KiB) |.                                       | 64\n\n"
    "Nearly all writes are of 16 bytes: its log is not buffered. The 64 of 4 KiB are another part of it; --on pipe, "
    "--on socket and --on file tell which kind. Where several processes are meant, --by process keeps them apart.\n\n"
    "OVERHEAD, in instructions on 6.1: one program at the end of each system call, which needs no map to remember the "
    "beginning. A 4 KiB write and a read of it, which take 4484, pay 846 more for both, --by process 1264; a "
    "histogram by bpftrace 0.27 of the write alone adds 979.\n\n"
    "CAVEATS. It counts what programs ask for, not what disks are asked for (biolatency, biosnoop), and not what "
    "needs no call of its own: io_uring, aio, mmap. Which calls are counted, and --of: strata help iosize.";

inline constexpr std::string_view kIosizeDetails =
    "The calls are read, pread64, readv, preadv, preadv2, write, pwrite64, writev, pwritev and pwritev2. --calls "
    "names some of these, or all of a kind (reads, writes), or others that are not counted unless named: recvfrom, "
    "recvmsg, sendto, sendmsg, sendfile, splice, copy_file_range.\n\n"
    "What counts is what a call returned; 0 is the end of a file. --of requested counts what calls asked for; --of "
    "short only of those that got less, as from a socket, or at the end of a file; --of failed of those that ended "
    "with an error. What readv and its like ask for is not in their arguments: they are left out of these three.\n\n"
    "A slot of the histogram is as wide as a sixteenth of its lower bound: 512 stands for 512 to 543, which is also "
    "what percentiles say.\n\n"
    "MORE CAVEATS. Calls of 32-bit programs have other numbers and are not counted. Nor is what needs no call of its "
    "own: io_uring, aio, mmap. It counts what programs ask for, not what disks are asked for: for that see biolatency "
    "and biosnoop. libbpf-tools 0.37 has nothing of the kind; a line of bpftrace on the same calls counted the same, "
    "and the 53 that failed among the sizes (scripts/twins).\n\n"
    "The price in more detail. The experiment that was BPF tracing's first, dd bs=512 with and without tracing, is "
    "part dd of scripts/bench: a read and a write of 512 bytes take 1330 there, an empty program on the tracepoint "
    "sys_enter_write adds 509, one that counts by logarithm 579, perf record 1613, ftrace 836. (make bench)";

}  // namespace strata
