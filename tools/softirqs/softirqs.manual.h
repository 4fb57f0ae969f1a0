// The manual of strata softirqs.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kSoftirqsManual =
    "How much time CPUs spend in softirqs, the kernel's deferred work: packets (NET_RX, NET_TX), timers (TIMER, "
    "HRTIMER), disks (BLOCK), the scheduler's balancing (SCHED), freed memory (RCU). It runs on top of whatever task "
    "was "
    "interrupted, or in ksoftirqd. A row for each softirq, CPU, or both, or histograms of how long one took.\n\n"
    "A program sends small datagrams; top says 3 % si. What is that, and how much of it falls on this program?\n\n"
    "  # strata softirqs -- ./packets\n"
    "  20:36:17.395, 35.3ms\n"
    "    IRQ NAME                            COUNT    TIME AVERAGE   CPU%\n"
    "      3 NET_RX                           1009  1.05ms  1.04us   3.0%\n"
    "      9 RCU                                 1  21.4us  21.4us   0.1%\n\n"
    "Of its 35 ms it lost 1 ms to the 1009 packets that the kernel received in its place, 1 us for each: cheap. A "
    "softirq "
    "of milliseconds would delay every task of its CPU: --histogram shows whether there are some. The whole machine, "
    "each "
    "second: strata softirqs -i 1; whether one CPU has all of it: --by cpu.\n\n"
    "OVERHEAD. A softirq costs 283 BPF instructions on 6.1, in two programs that need no map to find its beginning, "
    "--no-time 88 in one; libbpf-tools 0.37's softirqs 335 with either. (make bench)\n\n"
    "CAVEATS. -p, -t, -c, --cgroup and -- COMMAND select the tasks that are interrupted, which need not be those that "
    "the "
    "work is for. TIME has the interrupts that come meanwhile (strata hardirqs).";

inline constexpr std::string_view kSoftirqsDetails =
    "A softirq that strata did not see begin is not counted: at most one for each CPU, when it starts (with --no-time "
    "none). The counts are those of /proc/softirqs, which also has what was raised before. Time in ksoftirqd counts "
    "under that task. On a machine with more than 1024 CPUs two may share a line of beginnings: a counted loss. --by "
    "cpu and both count up to 65536 rows, --histogram as many slots; more are a counted loss.\n\n"
    "--cpu N counts on this CPU alone. CPU% is TIME as a part of the interval: of one CPU, so that several may have "
    "more than 100 % together. -o heatmap needs --histogram.\n\n"
    "BESIDE THE TWINS. Of 1009 datagrams through the loopback device, each of them a NET_RX, all three counted 1009 "
    "(6.12): libbpf-tools 0.37's softirqs, which cannot be asked for tasks, and has neither a row for each CPU nor "
    "percentiles, and a line of bpftrace 0.27, which has no script for it. (scripts/twins)";

}  // namespace strata
