// The manual of strata tcptop.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kTcptopManual =
    "A table in intervals, each second unless -i says another: what went over each TCP session meanwhile, and whose it "
    "is. Sessions over which nothing went have no row.\n\n"
    "The network card is busy, and the shop is slow. Who fills it?\n\n"
    "  # strata tcptop --rows 3 -i 1\n"
    "  22:16:35, 1.00s\n"
    "     PID COMM         LOCAL             REMOTE                SENT     GOT  RTX\n"
    "   31924 backup       127.0.0.1:45700   127.0.0.1:873      37.9MiB      0B    0\n"
    "   31933 rsyncd       127.0.0.1:873     127.0.0.1:45700         0B 37.9MiB    0\n"
    "   31605 shop         127.0.0.1:39428   127.0.0.1:5432     2.29KiB  977KiB    0\n"
    "  ... and 1 more (see --rows)\n\n"
    "A backup sends 38 MiB a second, forty times what the shop gets from its database: limit it, or run it at night. "
    "(Both ends are of this host, so each session has two rows.) RTX counts segments sent again: many mean that the "
    "path is full. By process: -P. What sent most: --sort tx_bytes.\n\n"
    "OVERHEAD. Sending and receiving a message costs 16000 instructions on 6.1, and tcptop adds nothing to it; "
    "libbpf-tools 0.37 adds 3881, of which 3294 BPF. For both sessions of a connection, from its beginning to its end, "
    "the program takes 2722 (51). (make bench)\n\n"
    "CAVEATS. Only TCP. strata help tcptop says more.";

inline constexpr std::string_view kTcptopDetails =
    "HOW. Nothing runs when data is sent or received. The kernel counts in each socket; at each interval strata has "
    "all sockets listed (sock_diag, as ss does) and takes differences. What begins and ends between two readings is "
    "told by a program at the end of each session (the tracepoint inet_sock_set_state), with the counters of the "
    "socket itself: nothing is missed, and nothing is estimated. A reading takes 2.6 us of a CPU for each open session "
    "(6.18).\n\n"
    "WHAT IS COUNTED. SENT is data that left for the first time, in this interval; libbpf-tools counts what sendmsg() "
    "took, which may still wait. GOT is data that arrived in order, read or not. Each byte once, without SYN and "
    "FIN.\n\n"
    "WHOSE SESSION. The process that has the socket open: found through /proc when the session first carries "
    "something; of several processes, the one with the highest number. If it began and ended within an interval, the "
    "task that closed it. -p, -t, -c, --cgroup and -- COMMAND mean that process; -t the process of that thread. An "
    "empty PID: the kernel's own, or a process that is gone. What arrives before accept() counts when it was "
    "accepted.\n\n"
    "NAMESPACES. Sessions of every network namespace that a process is in and strata may enter (CAP_SYS_ADMIN).\n\n"
    "BESIDE THE TWINS (scripts/twins, 6.12). Of eleven short connections and a long one, libbpf-tools 0.37 with -r 100 "
    "showed all 24 ends, as this did; without -r it shows 20 rows. It counts whole KiB of each row: of the 33 KiB that "
    "the clients sent, 1009 bytes on each short one, it showed 22. Of the 1660 KiB that they got it showed 1683: what "
    "a recv() has copied before it waits for the rest is counted again when that recv() ends. bpftrace has no such "
    "tool.\n\n"
    "MORE CAVEATS. The kernel needs tcp_diag: built in, a module that it loads by itself, or else a clear error. IPv4 "
    "by an IPv6 socket is shown, and filtered, as IPv4. -L and -D take up to 32 ports. 65,536 sockets are remembered "
    "for their ends; more are a counted loss. MPTCP shows its subflows. The load of the system, which the peers print, "
    "says uptime.";

}  // namespace strata
