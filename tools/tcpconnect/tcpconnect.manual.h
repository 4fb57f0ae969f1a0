// The manual of strata tcpconnect.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kTcpconnectManual =
    "A line for each attempt to connect by TCP, when it is decided: who, to where, how long it took, and the error if "
    "it failed. Or a table of how many (--by).\n\n"
    "Now and then a page of the shop takes a second longer. To what does it connect?\n\n"
    "  # strata tcpconnect -c shop \\\n"
    "      --columns tgid,comm,remote,lat_ns,syn_retransmits,result\n"
    "     PID COMM         REMOTE             LATENCY RTX RESULT\n"
    "   27126 shop         127.0.0.1:5432      50.0us   0 ok\n"
    "   27126 shop         127.0.0.1:11211     29.7us   0 ECONNREFUSED\n"
    "   27126 shop         127.0.0.1:5432       1.01s   1 ok\n\n"
    "Nobody listens at port 11211 (the cache is down). The second connection to the database took one second and a "
    "repeated SYN (RTX): the first was dropped, because the listening socket's backlog was full. Failures alone: "
    "-x.\n\n"
    "OVERHEAD. A connection costs 81500 instructions on 6.1; tcpconnect adds 2760 without output (1460 "
    "BPF), libbpf-tools 0.37 13800 (4610). (make bench)\n\n"
    "CAVEATS. What connect() refuses before it sends a SYN, as without a route, takes --unsent. strata help "
    "tcpconnect says more.";

inline constexpr std::string_view kTcpconnectDetails =
    "RESULT. The kernel's error: ECONNREFUSED (nobody listens), ETIMEDOUT (no answer), EHOSTUNREACH and so on. \"gave "
    "up\": the task closed the socket before an answer came, as a library does after its own time limit. \"no port\": "
    "none was free for this end. LATENCY is the time in the state SYN_SENT: of a connect() that does not wait, too.\n\n"
    "PRICE. --by port adds 2230 instructions to a connection (its program: 1690), --unsent 4170 (1850), and looks at "
    "the end of every system call.\n\n"
    "--unsent. No SYN is sent where there is no route (ENETUNREACH), a policy forbids it (EPERM, EACCES), the address "
    "is not of the socket's family, or no port is free: no state changes, so a program looks at the end of "
    "each system call of the machine, and makes all of them dearer. Such a line has the address that was asked for and "
    "no LATENCY, and there is none with -m. Of a socket "
    "that has a port already (bind) an error that an answer can give, too, is not told twice: without a route it is "
    "not told at all. connect() of 32-bit programs by socketcall() is not seen.\n\n"
    "--by counts instead: a row for each destination (address and port), port of the other end, address of this end "
    "(source), process or user, or for each of several together: --by process,destination. ATTEMPTS, how many of them "
    "FAILED, the AVERAGE LATENCY of those that were established, and RTX, the SYNs that were sent again: each is a "
    "wait of "
    "a second or so, which an average hides. What passes the filters is counted: slow ones alone with -m 100ms. It is "
    "counted in the kernel, when it is decided; 65,536 rows have room in a run, and more are a counted loss. bcc's "
    "tcpconnect -c counts by source,destination when the SYN is sent, before it is known how the attempt ends.\n\n"
    "HOW. One program at the tracepoint inet_sock_set_state, no function: it runs where kprobes are not permitted, and "
    "where the peers, which probe tcp_v4_connect and tcp_v6_connect, do not start. The process is that of connect(), "
    "even where the answer comes in an interrupt.\n\n"
    "MORE CAVEATS. A line comes when the attempt is decided: one that nobody answers, by default after 127 s; strata "
    "tcpstates shows it at its beginning. Attempts from before the run have neither process nor LATENCY, and are not "
    "shown with a filter for tasks. IPv4 by an IPv6 socket is shown, and filtered, as IPv4. -L and -D take up to 32 "
    "ports. 65,536 attempts at a time are remembered; more are a counted loss. TCP Fast Open is established later than "
    "its data.\n\n"
    "BESIDE THE TWINS. All three showed each of 135 attempts that sent a SYN (6.12); only strata says that 31 were "
    "refused and two given up, and with --unsent has the 13 without a route. libbpf-tools 0.37's tcpconnlat showed the "
    "133 that were answered or refused, not which, and not the two that nobody answered. (scripts/twins)";

}  // namespace strata
