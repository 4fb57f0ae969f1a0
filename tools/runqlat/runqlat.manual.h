// The manual of strata runqlat.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kRunqlatManual =
    "How long threads that could run wait for a CPU. A program that is slow and yet uses little CPU may be waiting for "
    "its turn.\n\n"
    "A script does next to nothing, 200 times, and takes too long. Is it the machine?\n\n"
    "  # strata runqlat -c sleep -- sh job.sh\n"
    "  lat: 219 values\n"
    "  p50 172us, p90 8.91ms, p99 60.8ms, p99.9 319ms, max 319ms\n\n"
    "  # strata runqlat --slower 4ms -c sleep -- sh job.sh\n"
    "  TIME            CPU COMM             TID LATENCY  RANTID  RANFOR RAN\n"
    "  20:34:16.291508   1 sleep          22799  4.69ms   22474  4.01ms cc1plus\n\n"
    "(Without bars.) One wait in ten is 9 ms or more: too much runs here. RAN had the CPU just before "
    "the one that waited, for RANFOR: a compiler. All threads wait long: too few CPUs. One group (-C) does: "
    "its CPU limit. One CPU (--by-cpu) does: threads are bound to it.\n\n"
    "OVERHEAD, in instructions on 6.1: a byte to another process and back, two switches, takes 12845 and 745 more; "
    "with -P 1010, --by-cpu 969, --slower 578. libbpf-tools 0.37's runqlat adds 3150, -P 3298, its runqslower 2102.\n\n"
    "CAVEATS. A wait is counted when it ends. A thread that wakes up and takes the CPU at once has 0 ns: the kernel "
    "does "
    "not read its clock twice for that. How moves between CPUs count: strata help runqlat.";

inline constexpr std::string_view kRunqlatDetails =
    "The times are the kernel's own: the sum of the waits that --slower 0 lists for a thread is the second number of "
    "/proc/PID/task/TID/schedstat, to the nanosecond, and their count the third. A task carries the time when it was "
    "queued, and what it waited before, by the clock of its CPU's queue: one program at the switch reads both, and "
    "none "
    "runs at wake-ups.\n\n"
    "A wait begins when a thread is woken up, is new, or has its CPU taken away. Where it is moved to another CPU's "
    "queue meanwhile, the parts are one wait; MOVED is what it waited elsewhere. The kernel sets no time when it takes "
    "the CPU from a thread that is about to sleep; that wait is timed here, and not in schedstat.\n\n"
    "-p, -t, -c, --cgroup and -- COMMAND mean the thread that waited. --slower is runqslower's view; RANFOR is how "
    "long "
    "the one before had the CPU, which is not all that ran during a long wait.\n\n"
    "MORE CAVEATS. For the first wait of a thread that was there before the run, what it waited on another CPU is not "
    "known. A wait that began before the run counts from its beginning. A thread that is ending has no PID namespace "
    "any "
    "more: 0. Where a busy host does not run a program for a switch, the kernel's count of switches shows it, and it "
    "is a "
    "loss. A kernel without CONFIG_SCHED_INFO keeps no such times (all of the distributions do).\n\n"
    "BESIDE THE TWINS. libbpf-tools 0.37 has three programs and a hash of all threads that wait. It begins at the "
    "wake-up, "
    "too, but reads the clock at the switch: where we have 0 ns it has the microseconds of the switch. Of 83 waits of "
    "a test on 6.12 both counted 83; 43 had been none.";

}  // namespace strata
