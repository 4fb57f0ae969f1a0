// The manual of strata tcplife.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kTcplifeManual =
    "A line for each TCP session at its end: whose it was, both ends, the bytes each way, what was sent again, the "
    "round-trip time, and how long it lasted.\n\n"
    "A page of the shop takes a second, and everybody points at the network to the database. What goes over it?\n\n"
    "  # strata tcplife -D 5432\n"
    "     PID COMM  LOCAL           REMOTE            SENT     GOT RTX    RTT   LIFE\n"
    "    7689 shop  127.0.0.1:39870 127.0.0.1:5432    117B    812B   0 26.0us  720us\n"
    "    7689 shop  127.0.0.1:39882 127.0.0.1:5432    117B 1.75KiB   0 18.0us  808us\n"
    "    7689 shop  127.0.0.1:39886 127.0.0.1:5432    117B 4.31MiB   0  376us  910ms\n\n"
    "The network is fine: round trips of microseconds, and nothing was sent again (RTX). But a page opens a new "
    "connection for each of three queries (keep one open), and the third gets 4 MiB for a question of 117 bytes: ask "
    "for less. Many RTX and a long RTT mean a bad path.\n\n"
    "OVERHEAD. A connection costs 81500 instructions on 6.1; with the lines thrown away tcplife adds 5900 for its two "
    "sessions, of which its program is 2680; libbpf-tools 0.37 adds 39200, of which 18700. (make bench)\n\n"
    "CAVEATS. A session is shown when it ends: what stays open is not. A connection that was never established is "
    "none. strata help tcplife says more.";

inline constexpr std::string_view kTcplifeDetails =
    "WHAT IS COUNTED. The kernel has counted it in the socket, so sessions from before the run have their bytes too, "
    "but no LIFE. SENT is data that left, each byte once, acknowledged or not; GOT is data that arrived in order. SYN "
    "and FIN are not in them: the peers, which show bytes_acked and bytes_received, are one or two bytes off. RTX "
    "counts segments, SYN and FIN among them, and tail-loss probes. RTT is the kernel's smoothed one, empty if none "
    "was measured; MINRTT the least of the last minutes (net.ipv4.tcp_min_rtt_wlen).\n\n"
    "WHOSE SESSION. The task that the kernel says worked on the socket last (connect, shutdown, close), or, before "
    "one was seen, the one that called listen(); not the current one, which in an interrupt is anybody. -p, -t, -c, "
    "--cgroup and -- COMMAND mean that task. Whose the sockets from before the run are is looked up at its beginning "
    "(sock_diag, /proc/PID/fd).\n\n"
    "MORE CAVEATS. The session is over when the socket is: the kernel answers for it in TIME_WAIT and, after close(), "
    "in FIN_WAIT2. BEGUN is empty for sessions from before the run. IPv4 by an IPv6 socket is shown, and filtered, as "
    "IPv4. -L and -D take up to 32 ports. 65,536 sockets are remembered; more are a counted loss. MPTCP shows its "
    "subflows.\n\n"
    "BESIDE THE TWINS. Of 143 sessions all three showed both ends (6.12); libbpf-tools 0.37 and bpftrace 0.27's "
    "tcplife.bt also seven attempts that were refused. For the server's end of the 31 sessions that it closed first, "
    "they showed the client, whose packet was the last. bpftrace shows whole KB, rounded down: of 1009 bytes nothing "
    "is "
    "left. (scripts/twins)";

}  // namespace strata
