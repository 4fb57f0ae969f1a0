// The manual of strata tcpretrans.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kTcpretransManual =
    "A line for each packet that TCP sent again: whose, both ends, and why.\n\n"
    "Storing a row takes 1 ms, sometimes 200. Is something lost on the way?\n\n"
    "  # strata tcpretrans -D 5432 \\\n"
    "      --columns time_ns,comm,remote,state,cause,segments\n"
    "  TIME            COMM     REMOTE            STATE       CAUSE      SEG\n"
    "  22:50:19.974522 client   127.0.0.1:5432    ESTABLISHED SACK         1\n"
    "  22:50:20.011788 client   127.0.0.1:5432    ESTABLISHED SACK         1\n"
    "  22:50:20.219509 client   127.0.0.1:5432    FIN_WAIT1   timeout      1\n\n"
    "Yes. SACK: sent again within a round trip; nobody notices. timeout: nothing came back, and TCP waited for its "
    "timer, 208 ms here: behind the last packets there is none that would tell. SYN: nobody answers at all.\n\n"
    "OVERHEAD. A packet sent again costs 1130 BPF instructions on 6.1, by --flows 1298; bpftrace's 3346, and it sees "
    "no probes. (make bench)\n\n"
    "CAVEATS. A probe (TLP) often repeats what was only late. One with new data is no retransmit: -l shows it. "
    "strata help tcpretrans says more.";

inline constexpr std::string_view kTcpretransDetails =
    "CAUSE. Read from the socket as the packet is sent. timeout: the retransmission timer, each time at twice the "
    "time before; slow start: what was also lost then, as acknowledgements come again; SACK: recovery by selective "
    "acknowledgements or their times (RACK); fast: recovery without SACK, after three acknowledgements of the same; "
    "TLP: a tail-loss probe, the last packet again after two round trips without an acknowledgement; SYN, SYN-ACK: "
    "of the handshake, whatever made the kernel do it; other: none of these, such as by TCP Fast Open. In the live "
    "tests the segments of each cause are those of the kernel's own counters (nstat: TcpRetransSegs, "
    "TcpExtTCPTimeouts, TcpExtTCPSlowStartRetrans, TcpExtTCPFastRetrans, TcpExtTCPLossProbes, TcpExtTCPSynRetrans).\n\n"
    "WHAT EACH KERNEL TELLS. The tracepoint tcp_retransmit_skb shows a probe that repeats data; one with new data only "
    "the function tcp_send_loss_probe, which -l asks for and which needs fentry or kprobes: CAUSE is then \"TLP new\", "
    "and SEQ its first byte. That is what the kernel sets out to do; now and then it gives it up. What a host fails to "
    "send (a full queue, no memory) reaches the tracepoint from 6.18 on, "
    "with its ERROR; older kernels only count it (TcpExtTCPRetransFail). Between a listening socket and its clients "
    "SYN-ACKs have a tracepoint of their own; the state is NEW_SYN_RECV then.\n\n"
    "HOW. Programs at tcp_retransmit_skb and tcp_retransmit_synack, which run only where something is sent again, and "
    "one at inet_sock_set_state, which notes whose a socket is. No function but for -l: it runs where kprobes are not "
    "permitted, and where the peers do not start.\n\n"
    "--flows counts by connection and process: RTX is all segments, TMO by timeout, SLOW in slow start, FAST in "
    "recovery with SACK or without, TLP probes, SYN those of the handshake. 65,536 connections have room; more are a "
    "counted loss.\n\n"
    "MORE CAVEATS. Whose the sockets from before the run are is looked up at its beginning (sock_diag, /proc/PID/fd); "
    "a connection that waited to be accepted then is nobody's, and not shown with a filter for tasks. A line is a "
    "packet for the network card, of one segment or many (SEG); SEQ is TCP's own number, as tcpdump -S shows it. IPv4 "
    "by an IPv6 socket is shown, and filtered, as IPv4. -L and -D take up to 32 ports.\n\n"
    "BESIDE THE TWINS. bpftrace 0.27's tcpretrans.bt, a kprobe on tcp_retransmit_skb, has a line for each packet, with "
    "the state alone, and none for tail-loss probes that repeat data and for SYN-ACKs: other functions send these. "
    "bcc 0.37's did not compile on 6.1. libbpf-tools has none.";

}  // namespace strata
