// The manual of strata runqlen.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kRunqlenManual =
    "How many threads wait in the run queue of a CPU, found by looking 99 times a second: a histogram of lengths, or "
    "with -O the occupancy, which part of the time anybody waited. A queue that is never empty says that there is too "
    "little CPU, or that it is not where the threads are.\n\nFour workers are slower than they should be, and top says "
    "that half of the CPU time is idle. On two CPUs:\n\n  # strata runqlen -OC -d 3\n  22:15:45, 3.04s\n    CPU   "
    "SAMPLES    BUSY OCCUPANCY  WAITING\n      0       243  100.0%    100.0%     3.07\n      1       269    1.5%      "
    "0.4%     0.00\n  lost 81: samples not taken: the CPU stood still, or its interrupts were off\n\nCPU 0 always has "
    "three threads in its queue besides the one that runs, while CPU 1 is idle: the workers are bound to CPU 0, by "
    "taskset, a cpuset, or themselves. If all queues were full there would be too few CPUs: how long each wait takes "
    "is said by strata runqlat. (81 times this virtual machine was itself kept waiting by its host.)\n\nOVERHEAD. One "
    "small program 99 times a second on each CPU, and nothing in between. A sample costs 185 BPF instructions on 6.1; "
    "libbpf-tools 0.37's runqlen 238. (make bench)\n\nCAVEATS. The thread that runs does not "
    "count, as in bcc's runqlen: 0 is an idle CPU, or one thread that has it for itself. Threads that a CPU limit of "
    "their group holds back are in no queue: not seen here, but by runqlat. Short bursts between the samples are "
    "missed. -p, -t, -c, --cgroup and -- COMMAND select by the thread that runs: samples that find another one, or "
    "none, do not count; -a with a command takes all.";

inline constexpr std::string_view kRunqlenDetails =
    "The length is the one of the CPU's whole queue: fair, real-time and deadline threads of all cgroups "
    "(rq.nr_running less the running one). Since 6.12 the kernel may leave a thread in the queue that has gone to "
    "sleep; such are not counted where it says how many they are (Debian's 6.12, and later kernels). OCCUPANCY is of "
    "the samples that were taken; BUSY minus OCCUPANCY is the part of the time in which a thread had the CPU without "
    "another one waiting. WAITING is the average over all samples, empty ones too.\n\n-F up to "
    "kernel.perf_event_max_sample_rate. 99 and not 100, so that what a program does ten or a hundred times a second is "
    "not found in the same state each time. CPUs that come online while strata runs are sampled within a second; the "
    "time that one was away counts as samples that were not taken.\n\nMORE CAVEATS. A CPU takes no sample while its "
    "hypervisor does not run it, while its interrupts are off, or while it is in another BPF program: the loss at the "
    "end, which is only counted without filters. Idle CPUs of some virtual machines are not woken for a sample, so "
    "that BUSY is too high there. Beyond 15, lengths have slots of up to 6.25 %, and beyond 2047 by -C they may be a "
    "counted loss.\n\nBESIDE THE TWINS. libbpf-tools and bcc read nr_running of the group's queue that the running "
    "thread is in: with cgroups or autogroups that have a CPU controller, as those of containers, the threads of all "
    "other groups are not counted (libbpf-tools -H has the whole queue). With four busy threads in one cgroup and "
    "three in another one, on one CPU of 6.12, six waited: libbpf-tools 0.37 found three at most, and bpftrace 0.27's "
    "runqlen.bt did not start, because it reads a field of later kernels. Neither says which samples were not taken.";

}  // namespace strata
