// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/ip_header.h"

#include "base/test.h"

namespace strata {
namespace {

std::string hex(const std::string &bytes) {
  std::string out;
  for (const unsigned char c : bytes) {
    out += "0123456789abcdef"[c >> 4];
    out += "0123456789abcdef"[c & 15];
  }
  return out;
}

}  // namespace

TEST_CASE("a header of IPv4 has what is known, and zeros") {
  const IpHeader header = {.source = ipv4_address(0x0a000001), .destination = ipv4_address(0xc0a80107), .protocol = 17};
  CHECK(ip_header_bytes(header) == 20);
  CHECK(hex(ip_header(header, 131)) ==
        "45000083000000000011000"
        "00a000001c0a80107");
  CHECK(hex(ip_header(header, 65'536)).substr(0, 8) == "45000000");
}

TEST_CASE("a header of IPv6 says what is behind it") {
  const IpHeader header = {.source = {0xfe80ULL << 48, 1}, .destination = {0xff02ULL << 48, 2}, .protocol = 58};
  CHECK(ip_header_bytes(header) == 40);
  CHECK(hex(ip_header(header, 72)) ==
        "6000000000203a00"
        "fe800000000000000000000000000001"
        "ff020000000000000000000000000002");
  CHECK(hex(ip_header(header, 12)).substr(8, 4) == "0000");
}

}  // namespace strata
