// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Frames of known contents, as nobody sends them by a socket, put on the loopback device:
//   frames KIND N [KIND N]...
// KIND: vlan (UDP 9 in VLAN 7), qinq (the same in VLANs 7 and 8), arp, lldp, hops (UDP 9 behind three extension headers
// of IPv6), deep (seven of them), first, later (fragments of UDP 9), cut (IPv4 of ten bytes), short (UDP of two), echo
// (ICMP)
#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

using Bytes = std::vector<uint8_t>;

void add(Bytes &to, const Bytes &more) { to.insert(to.end(), more.begin(), more.end()); }

Bytes ethernet(uint16_t type) {
  Bytes frame(12, 0);
  add(frame, {static_cast<uint8_t>(type >> 8), static_cast<uint8_t>(type)});
  return frame;
}

Bytes udp() {  // from port 40000 to 9, of 20 bytes
  Bytes header = {0x9c, 0x40, 0, 9, 0, 20, 0, 0};
  header.resize(20);
  return header;
}

// From 192.0.2.1 to 192.0.2.2, which is nobody's: nothing is answered.
Bytes ipv4(uint8_t protocol, uint16_t fragment, const Bytes &payload) {
  const auto bytes = static_cast<uint16_t>(20 + payload.size());
  Bytes header = {0x45,
                  0,
                  static_cast<uint8_t>(bytes >> 8),
                  static_cast<uint8_t>(bytes),
                  0,
                  1,
                  static_cast<uint8_t>(fragment >> 8),
                  static_cast<uint8_t>(fragment),
                  64,
                  protocol,
                  0,
                  0,
                  192,
                  0,
                  2,
                  1,
                  192,
                  0,
                  2,
                  2};
  add(header, payload);
  return header;
}

Bytes ipv6(uint8_t next, const Bytes &payload) {
  Bytes header = {0x60, 0, 0, 0, 0, static_cast<uint8_t>(payload.size()), next, 64};
  for (uint8_t last = 1; last <= 2; last++) add(header, {0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last});
  add(header, payload);
  return header;
}

Bytes options(uint8_t next, int n) {  // n extension headers of 8 bytes, then UDP
  Bytes all;
  for (int i = 0; i < n; i++) add(all, {static_cast<uint8_t>(i + 1 < n ? 60 : next), 0, 1, 4, 0, 0, 0, 0});
  add(all, udp());
  return all;
}

Bytes frame_of(const std::string &kind) {
  Bytes frame = ethernet(kind == "vlan"                     ? 0x8100
                         : kind == "qinq"                   ? 0x88a8
                         : kind == "arp"                    ? 0x0806
                         : kind == "lldp"                   ? 0x88cc
                         : kind == "hops" || kind == "deep" ? 0x86dd
                                                            : 0x0800);
  if (kind == "qinq") add(frame, {0, 7, 0x81, 0});
  if (kind == "qinq") add(frame, {0, 8, 8, 0});
  if (kind == "vlan") add(frame, {0, 7, 8, 0});
  if (kind == "vlan" || kind == "qinq") add(frame, ipv4(17, 0, udp()));
  if (kind == "arp" || kind == "lldp") frame.resize(frame.size() + 28);
  if (kind == "hops") add(frame, ipv6(60, options(17, 3)));
  if (kind == "deep") add(frame, ipv6(60, options(17, 7)));
  if (kind == "first") add(frame, ipv4(17, 0x2000, udp()));
  if (kind == "later") add(frame, ipv4(17, 0x2003, udp()));
  if (kind == "cut") add(frame, {0x45, 0, 0, 10, 0, 0, 0, 0, 64, 17});
  if (kind == "short") add(frame, ipv4(17, 0, {0x9c, 0x40}));
  if (kind == "echo") add(frame, ipv4(1, 0, {8, 0, 0, 0, 0, 0, 0, 0}));
  return frame;
}

}  // namespace

int main(int, char **argv) {
  const int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
  sockaddr_ll to = {};
  to.sll_family = AF_PACKET;
  to.sll_ifindex = static_cast<int>(if_nametoindex("lo"));
  to.sll_halen = ETH_ALEN;
  for (char **arg = argv + 1; arg[0] && arg[1]; arg += 2) {
    const Bytes frame = frame_of(arg[0]);
    for (int i = 0; i < atoi(arg[1]); i++) {
      const auto *const address = reinterpret_cast<const sockaddr *>(&to);
      if (sendto(fd, frame.data(), frame.size(), 0, address, sizeof(to)) < 0) return perror("sendto"), 1;
    }
  }
  return 0;
}
