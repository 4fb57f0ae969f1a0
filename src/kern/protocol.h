// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a packet carries, by the numbers of its headers: ethertypes and protocols of IP, as /etc/protocols has them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace strata {

std::string ethertype_name(uint32_t ethertype);   // 0x0800 -> "ipv4"; unknown -> "0x88b5"
std::string socket_family_name(uint32_t family);  // AF_UNIX -> "unix"; unknown -> "family 40"
std::string ip_protocol_name(uint32_t protocol);  // 17 -> "udp"; unknown -> "200"
std::string tcp_flag_names(uint32_t flags);       // "SYN,ACK"; 0 -> "none"
std::string icmp_text(uint32_t type_code,
                      bool v6);  // type << 8 | code -> "echo request", "unreachable 3" (with its code)

struct PacketKind {
  uint32_t number;
  bool ethertype;  // else a protocol of IP
};
// "udp", "arp", "0x88cc" (an ethertype), "47" (a protocol of IP).
[[nodiscard]] std::optional<PacketKind> parse_packet_kind(std::string_view text);

}  // namespace strata
