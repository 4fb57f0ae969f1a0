// The manual of strata tcpaccept.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kTcpacceptManual =
    "A line for each TCP connection that a process accepts: who, both ends, how long it had waited, and how full the "
    "queue is.\n\n"
    "Pages take a second, while the shop's own log says that each is made in no time. Where do they wait?\n\n"
    "  # strata tcpaccept -c shop\n"
    "     PID COMM      LOCAL             REMOTE             QUEUED WAIT LIMIT DROPS\n"
    "   32347 shop      127.0.0.1:8080    127.0.0.1:42276    59.2ms    2     2     2\n"
    "   32347 shop      127.0.0.1:8080    127.0.0.1:42296     832ms    0     2     2\n\n"
    "The kernel makes connections by itself; then they wait until the shop accepts them, up to 832 ms (QUEUED): it "
    "serves one after the other. Few may wait (LIMIT, of listen()); more are dropped (DROPS) and try again after 1, 3, "
    "7 s. More workers and a longer backlog help.\n\n"
    "OVERHEAD. A connection that is made, accepted and closed costs 81000 instructions on 6.1; the program takes 715 "
    "of its accept. bpftrace 0.27's takes 3652, and 74699 with its output. (make bench)\n\n"
    "CAVEATS. Who never accepts has a line only with -x. See strata help tcpaccept.";

inline constexpr std::string_view kTcpacceptDetails =
    "HOW. One program at the end of inet_csk_accept(), or, where functions may not be traced, of the system calls "
    "accept and accept4 (the tracepoint sys_exit, which every system call of the host pays for); the socket is found "
    "through the new descriptor. So it runs where the peers, which need a kprobe, do not start. By system calls, "
    "accepts of io_uring and of the kernel itself are not seen. There is no program at the handshake, and no table of "
    "connections: the kernel notes in the socket when it was established, to the microsecond, also for what was "
    "established before the run.\n\n"
    "QUEUED. From the last segment of the handshake to the accept. With TCP Fast Open from the SYN. With "
    "TCP_DEFER_ACCEPT from the first data.\n\n"
    "WAIT, LIMIT. The accept queue after this one was taken from it. LIMIT is the backlog of listen(2), cut to "
    "net.core.somaxconn; one more than LIMIT fit in. --columns half_open: handshakes under way.\n\n"
    "DROPS. All that the listening socket dropped: SYNs and last segments of handshakes because of a full queue, and, "
    "rarely, for lack of memory or by a filter. The kernel counts it since listen(), in 32 bits. With -x strata looks "
    "at all listening sockets twice a second (sock_diag, in every network namespace that it may enter), and one that "
    "dropped has a line: without REMOTE, with DROPS in all.\n\n"
    "BESIDE THE TWINS. Of 106 connections, the last five from a full queue, all three showed each. bcc's and "
    "bpftrace's tcpaccept show the queue as the new socket copied it at its handshake: 0 where four waited when the "
    "first was accepted. libbpf-tools has no tcpaccept; its tcpsynbl has one histogram for all sockets of the same "
    "LIMIT and takes 411 instructions for a connection, -B with one for each socket 289. None of them times the queue "
    "(scripts/twins).\n\n"
    "MORE CAVEATS. IPv4 by an IPv6 socket is shown, and filtered, as IPv4. -L and -D take up to 32 ports. What "
    "accept() refuses (EMFILE) stays in the queue, and has no line until it is accepted. An MPTCP connection is shown "
    "by its first subflow, and by system calls not at all. The histogram of -B counts how many waited at each accept; "
    "bcc's and libbpf-tools' tcpsynbl, by which name it is installed too, at each SYN.";

}  // namespace strata
