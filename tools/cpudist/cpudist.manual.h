// The manual of strata cpudist.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kCpudistManual =
    "How long threads stay on a CPU at a time, and with -O how long off it: many short stretches are a program that "
    "wakes up for little, long ones a program that computes until its CPU is taken away.\n\n"
    "A checksum of data from a pipe takes longer than the one of a file. What does it do with its CPU?\n\n"
    "  # strata cpudist -c sha256sum -- sh sums.sh\n"
    "  dur of state on-cpu: 1887 values\n"
    "  p50 188us, p90 188us, p99 279us, p99.9 852us, max 1.25ms\n"
    "    ...\n"
    "     [65.5us, 131us) |#############################           | 712\n"
    "      [131us, 262us) |########################################| 955\n\n"
    "  # strata cpudist -O --blocked -c head -- sh sums.sh\n"
    "  dur of state off-cpu: 2037 values\n"
    "  p50 180us, p90 344us, p99 3.93ms, p99.9 5.24ms, max 7.60ms\n\n"
    "It works for 0.2 ms, which is what a pipe holds, then waits for its other end, which sleeps for as long: both "
    "together keep one CPU busy, and each piece costs two switches. A larger pipe or a file makes longer stretches.\n\n"
    "OVERHEAD, in instructions on 6.1: a byte to another process and back, two switches, takes 12845 and 660 more; "
    "with -O 807, -P 910, -I 706. libbpf-tools 0.37's adds 1986, with -O 2556, -P 1989.\n\n"
    "CAVEATS. A stretch is counted when it ends: a thread that runs on without an end is not seen. Interrupts count as "
    "the thread's that they interrupt. Idle CPUs are counted with -I. Others: strata help cpudist.";

inline constexpr std::string_view kCpudistDetails =
    "On the CPU: from the switch to the thread to the switch away from it. A switch from a thread to itself, where "
    "nobody else wants the CPU, does not end a stretch. The kernel keeps the time at which a task got its CPU, by the "
    "clock of the run queue: one program at the switch reads it.\n\n"
    "Off the CPU (-O): from the switch away to the next one to it, whatever lies between, sleep and the wait for a CPU "
    "(runqlat shows that alone). --blocked leaves out the stretches that began because the CPU was taken away from a "
    "thread that could have run on. When a thread left is noted by its number; another thread of the same number "
    "modulo "
    "16384 may take the note, which is a counted loss.\n\n"
    "-I: an idle CPU runs a thread of its own, swapper/CPU, of process 0: how long it is idle at a time, and with -O "
    "how "
    "long it is busy. With -- COMMAND it needs -a, because that thread is of no command.\n\n"
    "-p, -t, -c, --cgroup and -- COMMAND mean the thread whose stretch it is. -P has the name of the process, -L that "
    "of "
    "the thread.\n\n"
    "MORE CAVEATS. A stretch on the CPU that began before the run counts from its beginning; one off the CPU must "
    "begin "
    "in the run. Where a busy host does not run a program for a switch, the kernel's count of switches shows it, and "
    "it "
    "is a loss. A kernel without CONFIG_SCHED_INFO keeps no such times (all of the distributions do).\n\n"
    "BESIDE THE TWINS. libbpf-tools and bcc count a stretch on the CPU only where it ends because the CPU is taken "
    "away: of "
    "11 stretches of 10 ms that ended with a sleep libbpf-tools 0.37 showed none. It notes each thread in a hash at "
    "each "
    "switch, and shows powers of two; this has sixteen slots in each, and percentiles.";

}  // namespace strata
