// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/protocol.h"

#include <charconv>
#include <iterator>

namespace strata {
namespace {

struct Named {
  uint32_t number;
  std::string_view name;
};

constexpr Named kEthertypes[] = {
    {0x0800, "ipv4"},
    {0x86dd, "ipv6"},
    {0x0806, "arp"},
    {0x8035, "rarp"},
    {0x8100, "vlan"},
    {0x88a8, "qinq"},
    {0x8847, "mpls"},
    {0x8848, "mpls-multicast"},
    {0x8863, "pppoe-discovery"},
    {0x8864, "pppoe"},
    {0x888e, "eapol"},
    {0x88cc, "lldp"},
    {0x88e5, "macsec"},
    {0x88f7, "ptp"},
    {0x8906, "fcoe"},
    {0x0001, "802.3"},
    {0x0004, "802.2"},
    {0x000c, "can"},
    {0x00f6, "mctp"},
};
constexpr Named kProtocols[] = {
    {0, "hopopt"}, {1, "icmp"},    {2, "igmp"},    {4, "ipip"},   {6, "tcp"},    {17, "udp"},
    {33, "dccp"},  {41, "ip6in4"}, {43, "route6"}, {44, "frag6"}, {46, "rsvp"},  {47, "gre"},
    {50, "esp"},   {51, "ah"},     {58, "icmp6"},  {59, "none6"}, {60, "opts6"}, {88, "eigrp"},
    {89, "ospf"},  {103, "pim"},   {112, "vrrp"},  {115, "l2tp"}, {132, "sctp"}, {136, "udplite"},
};
constexpr Named kFamilies[] = {
    {1, "unix"},       {16, "netlink"}, {17, "packet"}, {29, "can"},
    {31, "bluetooth"}, {38, "alg"},     {40, "vsock"},  {44, "xdp"},
};
constexpr Named kIcmpTypes[] = {
    {0, "echo reply"},   {3, "unreachable"},    {4, "source quench"},  {5, "redirect"},
    {8, "echo request"}, {11, "time exceeded"}, {12, "bad parameter"},
};
constexpr Named kIcmp6Types[] = {
    {1, "unreachable"},
    {2, "too big"},
    {3, "time exceeded"},
    {4, "bad parameter"},
    {128, "echo request"},
    {129, "echo reply"},
    {133, "router solicitation"},
    {134, "router advertisement"},
    {135, "neighbour solicitation"},
    {136, "neighbour advertisement"},
    {137, "redirect"},
};

template <size_t N>
std::string_view find(const Named (&table)[N], uint32_t number) {
  for (const Named &one : table)
    if (one.number == number) return one.name;
  return {};
}

template <size_t N>
std::optional<uint32_t> find(const Named (&table)[N], std::string_view name) {
  for (const Named &one : table)
    if (one.name == name) return one.number;
  return std::nullopt;
}

std::optional<uint32_t> whole_number(std::string_view text, int base, uint32_t most) {
  uint32_t number = 0;
  const auto [end, err] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (err != std::errc() || end != text.data() + text.size() || number > most) return std::nullopt;
  return number;
}

}  // namespace

std::string ethertype_name(uint32_t ethertype) {
  const std::string_view name = find(kEthertypes, ethertype);
  if (!name.empty()) return std::string(name);
  char digits[8];
  const std::string hex(digits, std::to_chars(std::begin(digits), std::end(digits), ethertype, 16).ptr);
  return "0x" + std::string(hex.size() < 4 ? 4 - hex.size() : 0, '0') + hex;
}

std::string socket_family_name(uint32_t family) {
  const std::string_view name = find(kFamilies, family);
  return name.empty() ? "family " + std::to_string(family) : std::string(name);
}

std::string ip_protocol_name(uint32_t protocol) {
  const std::string_view name = find(kProtocols, protocol);
  return name.empty() ? std::to_string(protocol) : std::string(name);
}

std::string tcp_flag_names(uint32_t flags) {
  constexpr std::string_view kNames[] = {"FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR"};
  std::string text;
  for (size_t bit = 0; bit < std::size(kNames); bit++)
    if (flags >> bit & 1) (text += text.empty() ? "" : ",") += kNames[bit];
  return text.empty() ? "none" : text;
}

std::string icmp_text(uint32_t type_code, bool v6) {
  const uint32_t type = type_code >> 8 & 0xff, code = type_code & 0xff;
  const std::string_view name = v6 ? find(kIcmp6Types, type) : find(kIcmpTypes, type);
  std::string text = name.empty() ? "type " + std::to_string(type) : std::string(name);
  return code == 0 ? text : text + " " + std::to_string(code);
}

std::optional<PacketKind> parse_packet_kind(std::string_view text) {
  if (text == "ip") text = "ipv4";
  if (text == "ip6") text = "ipv6";
  if (text == "icmpv6") text = "icmp6";
  if (const auto number = find(kProtocols, text)) return PacketKind{*number, false};
  if (const auto number = find(kEthertypes, text)) return PacketKind{*number, true};
  if (text.starts_with("0x")) {
    if (const auto number = whole_number(text.substr(2), 16, UINT16_MAX)) return PacketKind{*number, true};
  } else if (const auto number = whole_number(text, 10, UINT8_MAX)) {
    return PacketKind{*number, false};
  }
  return std::nullopt;
}

}  // namespace strata
