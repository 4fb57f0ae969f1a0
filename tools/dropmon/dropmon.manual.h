// The manual of strata dropmon.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kDropmonManual =
    "Which packets the kernel throws away: where in the kernel, why, and of which protocol and device. Here a "
    "collector of metrics misses every third report, and no counter of the card moves:\n\n"
    "  # strata dropmon -i 1\n"
    "  22:19:04, 1.00s\n"
    "  PLACE                           REASON         ETHER PROTO DEV       DROPS\n"
    "  udp_queue_rcv_one_skb+0x437     SOCKET_RCVBUFF ipv4  udp   lo          109\n"
    "  __udp4_lib_rcv+0x4bc            NO_SOCKET      ipv4  udp   lo            4\n\n"
    "In a second the kernel freed 109 datagrams of UDP because the socket's receive buffer was full (SOCKET_RCVBUFF): "
    "the program reads too slowly, or its buffer is small (net.core.rmem_default). NO_SOCKET: nobody listens at that "
    "port. Whose ports, strata dropmon --list says, and --stacks what led there.\n\n"
    "OVERHEAD. Packets that reach their end cost nothing. A drop is 586 instructions on 6.1, by place and reason 200; "
    "bpftrace 0.27 by these 240. (make bench)\n\n"
    "CAVEATS. Not every drop is a loss: TCP drops what it has already. -p, -c, --cgroup and -- COMMAND pick drops by "
    "what ran on that CPU; most happen in an interrupt, which is nobody's: prefer --port, --dev and --netns, with -a "
    "before -- COMMAND. More: strata help dropmon.";

inline constexpr std::string_view kDropmonDetails =
    "WHAT COUNTS. One program at the tracepoint skb:kfree_skb, which the kernel passes when it frees a packet that did "
    "not reach its end; one that did is consumed (consume_skb) and not counted, nor is what a driver or the card drops "
    "before there is a packet (ip -s link, ethtool -S). A SYN for which the backlog has no room is consumed, too: "
    "strata tcpaccept shows these. A clone, as for tcpdump, is a packet of its own. A packet of several segments (GSO, "
    "GRO) is one drop.\n\n"
    "PLACE is the instruction after the call that freed the packet, as in the stack: the function that decided, or a "
    "small helper of it; then --stacks shows who called. The names are those of /proc/kallsyms; where the kernel hides "
    "its addresses (kernel.kptr_restrict) they stay numbers, and a sentence says so. A recording has the names with "
    "it.\n\n"
    "REASON has the names of the running kernel's enum skb_drop_reason, whose numbers differ from kernel to kernel, "
    "and of qdisc_drop_reason (7.3). Of other subsystems (OPENVSWITCH, MAC80211_UNUSABLE) it is their number behind "
    "the colon. 5.17 and later tell reasons, and each release tells more of them; before, PLACE says it, and --reason "
    "is refused.\n\n"
    "DEV. While a packet is in the queue of a socket, its place for the device is used otherwise, and TCP forgets it "
    "before it looks at a segment: then it is the device that the packet came by, looked up in the namespace of the "
    "socket or of the route. --dev means a device of strata's own network namespace, or of --netns. Where only the "
    "number is known, it is shown as if3.\n\n"
    "--list shows the reason, and before 5.17 the place; both with --columns "
    "time_ns,protocol,source,destination,reason,place. It has all that bpfcc's tcpdrop and bpftrace's tcpdrop.bt show "
    "of a packet, of each protocol: --columns time_ns,source,destination,state,info,place,stack with --protocol tcp "
    "and --stacks. STATE is the socket's that the packet belongs to, as far as the kernel tells: for arriving packets "
    "since 6.11.\n\n"
    "HEADERS are read where they are in one piece with the packet, which they nearly always are; else NOTES says "
    "\"headers cut\". Up to two VLAN tags and six extension headers of IPv6 are passed over; the ports of a fragment "
    "are in the first one only. The bytes are counted from the network header on.\n\n"
    "THE PRICE in full (6.1, TCP connections that are refused): 586 instructions by all keys, with the headers and "
    "the device, which bpftrace's tracepoint does not give; --list 1040, with --stacks 12628. bpftrace's tcpdrop.bt "
    "takes 222 to find that such a packet is not for it.\n\n"
    "LIMITS. A run keeps at least 16384 different rows and 4096 stacks; what finds no room is a counted loss. A stack "
    "has 48 functions at most, and says where there are more.\n\n"
    "BESIDE THE TWINS. Of 828 drops on loopback, of UDP and TCP, bpftrace 0.27's tcpdrop.bt showed none (6.12): it "
    "reads addresses and family from the socket that a packet belongs to (skb->sk), and of these packets, which all "
    "had arrived, none had one. Of packets that are sent, all 17 that a queue (netem) dropped had one, and it showed "
    "all. One line of bpftrace that counts by reason and function agreed with strata each time. libbpf-tools has no "
    "such tool.";

}  // namespace strata
