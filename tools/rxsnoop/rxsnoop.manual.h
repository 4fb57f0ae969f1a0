// The manual of strata rxsnoop.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kRxsnoopManual =
    "Each packet that a network device hands to the kernel. Clients say that connections to the database hang: is it "
    "the "
    "network? (Shown on lo, where what is sent arrives.)\n\n"
    "  # strata rxsnoop --port 5432 --columns time_ns,source,destination,info\n"
    "  TIME            SOURCE          DESTINATION     INFO\n"
    "  22:49:21.616282 127.0.0.1:53772 127.0.0.1:5432  SYN\n"
    "  22:49:21.616300 127.0.0.1:5432  127.0.0.1:53772 SYN,ACK\n"
    "  22:49:21.616316 127.0.0.1:53772 127.0.0.1:5432  ACK\n"
    "  22:49:21.616337 127.0.0.1:53782 127.0.0.1:5432  SYN\n"
    "  22:49:22.635512 127.0.0.1:53782 127.0.0.1:5432  SYN\n\n"
    "The first one is answered. The SYN of the second arrives, and a second later again: the network has done its "
    "part, "
    "this host does not answer; here the backlog is full (strata tcpaccept). Without a SYN it would be the network.\n\n"
    "OVERHEAD. A packet is 939 instructions on 6.1, with --rate 773, -H 154; bpftrace 0.27's count by device 4746, "
    "its histogram 277. (make bench)\n\n"
    "CAVEATS. Packets that leave are not shown, nor what the card or XDP drops; what a firewall drops is. -p, -c, "
    "--cgroup "
    "and -- COMMAND pick what arrives while such a task has the CPU, on lo its own: prefer --port, --dev and --netns, "
    "with -a before -- COMMAND. More: strata help rxsnoop.";

inline constexpr std::string_view kRxsnoopDetails =
    "HOW. One program at the tracepoint net:netif_receive_skb, which the kernel passes once for each packet, where "
    "tcpdump gets its copy, too. tcpdump shows contents and packets that leave, and copies both; this reads "
    "the headers and copies nothing. Through a tunnel, a bridge or a VLAN's device, a packet is received again by "
    "the upper device, and shown again where the kernel passes it through this place (tunnels and bridges; not "
    "VLANs).\n\n"
    "SEGS. A card or the kernel (GRO) puts packets of one TCP connection that come in a row together; then SIZE is of "
    "the whole, with one header, and SEGS the packets that were on the wire.\n\n"
    "HEADERS are read where they are in one piece with the packet, which they nearly always are; else NOTES says "
    "\"headers cut\". Up to two VLAN tags are passed over, and the number of the outermost is in NOTES; so are up to "
    "six extension headers of IPv6 (\"more headers\": PROTO is the seventh). Only the first fragment of a packet has "
    "ports; --port lets no other one pass.\n\n"
    "FILTERS. --dev means a device of strata's own network namespace, or of --netns. A protocol is a name, a number "
    "of IP (47), or an ethertype (0x88cc); arp and lldp are ethertypes. All filters are tested in the kernel, the "
    "device's first.\n\n"
    "--rate and --histogram count in the kernel and lose nothing at any rate; lines that a flood makes faster than "
    "they "
    "are written are a counted loss. A run keeps 16384 rows of --rate, and as many slots of --by-device; more are a "
    "counted loss.\n\n"
    "THE PRICE in full. A message over loopback is two packets, and 16000 instructions on 6.1 without a tracer. With "
    "all that belongs to it --rate adds 1585, --histogram 348, bpftrace 0.27's count by device 10539, its histogram "
    "1589. Two lines add 7200, and 50000 where they are written to a terminal.\n\n"
    "BESIDE THE TWINS. One line of bpftrace 0.27 that counts packets and bytes by device agreed with strata: 1714 and "
    "1,588,104 (6.12). The tracepoint gives it no protocol and no address: a script has to read the headers itself. "
    "libbpf-tools and bcc have no such tool. (scripts/twins)";

}  // namespace strata
