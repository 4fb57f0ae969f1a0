// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/inet.h"

#include "base/test.h"

namespace strata {
namespace {

constexpr Address kLoopback = {0, 0xffff'7f00'0001};

std::string subnet_text(std::string_view text) {
  Subnet subnet;
  if (!parse_subnet(text, subnet)) return "no";
  return address_text(subnet.address) + " " + std::to_string(subnet.mask.hi) + " " + std::to_string(subnet.mask.lo);
}

}  // namespace

TEST_CASE("addresses of both families as text") {
  CHECK(address_text(kLoopback) == "127.0.0.1");
  CHECK(address_text({}) == "::");
  CHECK(address_text({0, 1}) == "::1");
  CHECK(address_text({0xfe80'0000'0000'0000, 0x1234}) == "fe80::1234");
  CHECK(address_text({UINT64_MAX, UINT64_MAX}) == "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");
  CHECK(endpoint_text(kLoopback, 80) == "127.0.0.1:80");
  CHECK(endpoint_text({0, 1}, 65535) == "[::1]:65535");
  CHECK(ipv4_endpoint_text(uint64_t{0x0a00'0007} << 16 | 443) == "10.0.0.7:443");
  CHECK(ipv4_endpoint_text(UINT64_MAX) == "255.255.255.255:65535");
  CHECK(ipv4_endpoint_text(0) == "0.0.0.0:0");
  CHECK(is_ipv4(kLoopback));
  CHECK_FALSE(is_ipv4({1, 0xffff'7f00'0001}));
  CHECK_FALSE(is_ipv4({0, 1}));
}

TEST_CASE("a subnet keeps the bits that count, and nothing else is one") {
  CHECK(subnet_text("10.1.2.3/8") == "10.0.0.0 18446744073709551615 18446744073692774400");
  CHECK(subnet_text("10.1.2.3") == "10.1.2.3 18446744073709551615 18446744073709551615");
  CHECK(subnet_text("0.0.0.0/0") == "0.0.0.0 18446744073709551615 18446744069414584320");
  CHECK(subnet_text("fe80::1/64") == "fe80:: 18446744073709551615 0");
  CHECK(subnet_text("::1/127") == ":: 18446744073709551615 18446744073709551614");
  CHECK(subnet_text("fe80::1/0") == ":: 0 0");
  for (const char *bad : {"", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "::/129", "::/1x", "10.0.0", "host"}) {
    CHECK(subnet_text(bad) == "no");
  }
}

TEST_CASE("an address is in a subnet or not") {
  Subnet subnet;
  REQUIRE(parse_subnet("10.0.0.0/8", subnet));
  CHECK(is_in(subnet, ipv4_address(0x0a010203)));
  CHECK_FALSE(is_in(subnet, ipv4_address(0x0b010203)));
  CHECK_FALSE(is_in(subnet, {0, 0x0a010203}));
  REQUIRE(parse_subnet("fe80::/64", subnet));
  CHECK(is_in(subnet, {0xfe80'0000'0000'0000, 1}));
  CHECK_FALSE(is_in(subnet, {0xfe80'0000'0000'0001, 1}));
}

TEST_CASE("states of TCP by number") {
  CHECK(tcp_state_name(1) == "ESTABLISHED");
  CHECK(tcp_state_name(11) == "CLOSING");
  CHECK(tcp_state_name(0) == "state 0");
  CHECK(tcp_state_name(77) == "state 77");
}

}  // namespace strata
