// The manual of strata tcprtt.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kTcprttManual =
    "The round-trip time of TCP connections: how long a packet and its acknowledgement take, there and back. A "
    "histogram of what the kernel knows at each packet that an established connection receives.\n\n"
    "Some customers find the shop slow, others do not. Is it the way to them?\n\n"
    "  # strata tcprtt -e -B -d 8\n"
    "  22:12:15, 8.03s\n"
    "  RADDR                   COUNT AVERAGE\n"
    "  10.99.0.1                 136  51.6ms\n"
    "  127.0.0.1                1798  2.15ms\n\n"
    "  # strata tcprtt -A 10.99.0.0/16 -d 6\n"
    "  rtt: 55 values\n"
    "  p50 48.2ms, p90 52.4ms, p99 58.7ms, p99.9 58.7ms, max 58.7ms\n\n"
    "(Without bars.) It is: a round trip to that customer takes 50 ms, and a page that needs 20, one after the other, "
    "a second. Ask for less often. Percentiles far apart mean queues on the way, or a bad link.\n\n"
    "OVERHEAD. 64 bytes over loopback, two packets, take 15985 instructions on 6.1. tcprtt adds 202 (by the kernel's "
    "count of BPF 460), with -B 1566 (1228); libbpf-tools 0.37 1424 (1300), with -B 1583 (1467). (make bench)\n\n"
    "CAVEATS. A value comes with each packet, so connections with much traffic have most of them; a connection that "
    "only receives keeps its old time. For each measurement once: -s. strata help tcprtt says more.";

inline constexpr std::string_view kTcprttDetails =
    "WHAT IT IS. The smoothed round-trip time of the socket (srtt: each new sample counts an eighth), as it is when a "
    "packet arrives, before that packet changes it. With -s (--sample) the last sample itself, and only at packets "
    "that acknowledge new data: each measurement is counted once, when the next one begins, and a single slow round "
    "trip is seen, which an average of eight hides. A sample has the other end's delay of its acknowledgement in it, "
    "40 ms at times. A connection without a measurement yet is not counted.\n\n"
    "KEYS. -b, -B, --by-local-port and --by-remote-port may be joined: all four have a histogram for each connection. "
    "IPv4 by an IPv6 socket is shown, and filtered, as IPv4. -L and -D take up to 32 ports, -A and --local an address "
    "or a subnet. 65,536 keys (with slots: of an address, and a time) have room; more are a counted loss.\n\n"
    "HOW. One program at the tracepoint tcp_probe, which every kernel since 4.16 has: it runs where kprobes and "
    "fentry are not permitted, and where the peers, which probe tcp_rcv_established, do not start. A second program, "
    "at inet_sock_set_state, runs only if certain tasks are asked for (-p, -t, -c, --cgroup, -- COMMAND): it notes "
    "whose a socket is. Whose those from before the run are is looked up at its beginning (sock_diag, /proc/PID/fd); "
    "one that waited to be accepted then is nobody's, and not counted.\n\n"
    "BESIDE THE TWIN. libbpf-tools 0.37's tcprtt counts the same packets in powers of two, in whole microseconds: with "
    "997 exchanges over IPv4 and 499 over IPv6 both count the packets that the sockets themselves count. It filters "
    "IPv4 over IPv6 sockets as IPv6. On 5.10 it does not start. bpftrace has none.\n\n"
    "MORE CAVEATS. Packets that the network card or the kernel has merged (GRO, TCPBacklogCoalesce) count once. A "
    "packet of a connection that is being closed (FIN_WAIT, CLOSE_WAIT) is not counted, as by the peers.";

}  // namespace strata
