// The manual of strata hardirqs.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kHardirqsManual =
    "How much time CPUs spend in interrupts: in the handlers of devices, by number and name as /proc/interrupts has "
    "them, and with --vectors in what CPUs are interrupted for by themselves and each other (timer, reschedule, "
    "function "
    "calls). A row for each interrupt, CPU, or both, or histograms of how long one took.\n\n"
    "A computation that should have its CPU for itself runs slower at times. What comes in between?\n\n"
    "  # strata hardirqs --vectors -- ./busy\n"
    "  20:41:12, 1.76s\n"
    "    IRQ NAME                            COUNT    TIME AVERAGE   CPU%\n"
    "        local timer                       396  5.56ms  14.0us   0.3%\n"
    "        reschedule                         78  38.1us   488ns  <0.1%\n"
    "        function call, one CPU              4  7.41us  1.85us  <0.1%\n\n"
    "It was interrupted 478 times for 5.6 ms in all, nearly all by the timer, and no device was among them: not "
    "interrupts made it slow. A handler of more than 100 us is worth a look: --histogram shows whether there are some. "
    "Whether one CPU has all of a device's: --by both; the whole machine, each second: -i 1.\n\n"
    "OVERHEAD. An interrupt of a disk costs 284 BPF instructions on 6.1, in two programs that need no map to find its "
    "beginning, --no-time 88; libbpf-tools 0.37's hardirqs 870. (make bench)\n\n"
    "CAVEATS. -p, -t, -c, --cgroup and -- COMMAND select the tasks that are interrupted, which need not be those that "
    "an interrupt is for. --vectors are of x86. What handlers leave for later: strata softirqs.";

inline constexpr std::string_view kHardirqsDetails =
    "BESIDE THE TWINS. Of 997 interrupts of a disk all three showed 997 (6.12, libbpf-tools 0.37, a line of bpftrace "
    "0.27). The peers show interrupts of devices alone, which are often the fewest: of the timer, of reschedule and "
    "function call interrupts they know nothing. (scripts/twins)\n\n"
    "Where several devices share an interrupt each of their handlers counts, in one row with all of their names. "
    "Interrupts that the kernel handles in other ways (NMI, TLB, thermal) are in /proc/interrupts alone.\n\n"
    "An interrupt that strata did not see begin is not counted: at most one for each CPU, when it starts (with "
    "--no-time none). Numbers of interrupts up to twice the greatest one at the start, and 64 more, are counted by "
    "interrupt; others are a counted loss. On a machine with more than 1024 CPUs two may share a line of beginnings: "
    "a counted loss. --by cpu and both count up to 65536 rows, --histogram as many slots; more are a counted "
    "loss.\n\n"
    "--cpu N counts on this CPU alone. CPU% is TIME as a part of the interval: of one CPU, so that several may have "
    "more than 100 % together. -o heatmap needs --histogram.";

}  // namespace strata
