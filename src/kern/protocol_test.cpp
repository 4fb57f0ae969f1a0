// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/protocol.h"

#include "base/test.h"

namespace strata {
namespace {

std::string kind(std::string_view text) {
  const auto found = parse_packet_kind(text);
  return found ? (found->ethertype ? "ethertype " : "protocol ") + std::to_string(found->number) : "none";
}

}  // namespace

TEST_CASE("numbers of headers in words, or as they are") {
  CHECK(ethertype_name(0x0800) == "ipv4");
  CHECK(ethertype_name(0x88b5) == "0x88b5");
  CHECK(ethertype_name(0x0065) == "0x0065");
  CHECK(ip_protocol_name(17) == "udp");
  CHECK(ip_protocol_name(255) == "255");
  CHECK(socket_family_name(1) == "unix");
  CHECK(socket_family_name(99) == "family 99");
  CHECK(tcp_flag_names(0x12) == "SYN,ACK");
  CHECK(tcp_flag_names(0) == "none");
  CHECK(icmp_text(8 << 8, false) == "echo request");
  CHECK(icmp_text(3 << 8 | 3, false) == "unreachable 3");
  CHECK(icmp_text(1 << 8 | 4, true) == "unreachable 4");
  CHECK(icmp_text(200 << 8, true) == "type 200");
}

TEST_CASE("a name or a number is one kind of packet") {
  CHECK(kind("udp") == "protocol 17");
  CHECK(kind("icmpv6") == "protocol 58");
  CHECK(kind("ip6") == "ethertype 34525");
  CHECK(kind("0x88cc") == "ethertype 35020");
  CHECK(kind("0") == "protocol 0");
  CHECK(kind("255") == "protocol 255");
  for (const char *wrong : {"", "256", "-1", "0x", "0x10000", "0x88cg", "UDP", "udp ", "6.0"})
    CHECK(kind(wrong) == "none");
}

}  // namespace strata
