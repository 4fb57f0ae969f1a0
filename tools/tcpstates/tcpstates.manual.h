// The manual of strata tcpstates.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kTcpstatesManual =
    "A line for each change of a TCP socket's state: whose socket it is, both ends, and how long it was in the state "
    "that ends.\n\n"
    "A server runs out of descriptors, and ss shows hundreds of sockets in CLOSE_WAIT. Who leaves them there, and for "
    "how long? The last lines of a connection to it:\n\n"
    "  # strata tcpstates -L 8080\n"
    "     PID COMM  LOCAL          REMOTE          FROM        TO           AFTER\n"
    "   10138 shop  127.0.0.1:8080 127.0.0.1:42260 SYN_RECV    ESTABLISHED 5.97us\n"
    "   10138 shop  127.0.0.1:8080 127.0.0.1:42260 ESTABLISHED CLOSE_WAIT   175us\n"
    "   10138 shop  127.0.0.1:8080 127.0.0.1:42260 CLOSE_WAIT  LAST_ACK     2.30s\n\n"
    "The client closed after 175 us (CLOSE_WAIT begins), and shop took 2.3 s to close its own end: it is shop that "
    "must be mended, not the network. Long in FIN_WAIT1: the other end does not acknowledge; in SYN_SENT: it does not "
    "answer. --columns ...,error says why a connection went to CLOSE.\n\n"
    "OVERHEAD. A connection that is made, accepted and closed costs 81500 instructions on 6.1, and has ten changes. "
    "With the lines thrown away tcpstates adds 15100, of which its program is 4910; libbpf-tools 0.37 adds 85600, of "
    "which 25700. (make bench)\n\n"
    "CAVEATS. What a socket was before the run is not known: its first line has no AFTER. TIME_WAIT is not a state of "
    "a socket: the kernel keeps a small remainder, and the line says CLOSE. strata help tcpstates says more.";

inline constexpr std::string_view kTcpstatesDetails =
    "WHOSE SOCKET. Half of the changes happen in an interrupt, where the current task is anybody; the peers show that "
    "one, or 0. Here it is the task that the kernel says works on the socket (connect, listen, shutdown, close, or a "
    "read under way), and of a new connection the task that called listen(), until its own one is seen. -p, -t, -c, "
    "--cgroup and -- COMMAND mean that task. Whose the sockets from before the run are, those that listen and their "
    "future connections among them, is looked up at its beginning, as ss -p does: in sock_diag and /proc/PID/fd. One "
    "that no process had then, such as a connection that waited to be accepted, is nobody's until a task works on "
    "it.\n\n"
    "MORE CAVEATS. When a connection is begun its own port is not chosen yet: 0, and -L does not find that line. A "
    "socket made by a listening one has no remote address yet, so its way out of LISTEN is told a few microseconds "
    "later, with the next change and its own time. IPv4 by an IPv6 socket is shown, and filtered, as IPv4. Sockets "
    "that share a port (SO_REUSEPORT) count as of the process that called listen() last. -L and -D take up to 32 "
    "ports. 65,536 sockets are remembered; changes of more are a counted loss. MPTCP shows its subflows; SCTP and DCCP "
    "are not shown.\n\n"
    "BESIDE THE TWINS. Of 119 connections strata and libbpf-tools 0.37 showed all 1094 changes (6.12). For 111 of the "
    "server's, libbpf-tools showed the client, whose packet caused them; it has no error, and 0.000 where the time is "
    "not known. bpftrace has no such tool. (scripts/twins)";

}  // namespace strata
