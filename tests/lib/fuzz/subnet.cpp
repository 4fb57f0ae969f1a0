// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Any bytes as the address or subnet of --remote: what is accepted is in itself, and reads back the same as text.
#include "fuzz.h"
#include "kern/inet.h"

namespace strata {
namespace {

int bits_of(const Address &mask) { return __builtin_popcountll(mask.hi) + __builtin_popcountll(mask.lo); }

void check(std::string_view text) {
  Subnet subnet, again;
  if (!parse_subnet(text, subnet)) return;
  const int bits = bits_of(subnet.mask);
  require(is_in(subnet, subnet.address));
  require((subnet.mask.hi == UINT64_MAX || subnet.mask.lo == 0) && (~subnet.mask.hi & (~subnet.mask.hi + 1)) == 0 &&
          (~subnet.mask.lo & (~subnet.mask.lo + 1)) == 0);  // ones, then zeros
  const bool ipv4 = is_ipv4(subnet.address);
  if (ipv4 && bits < 96) return;  // of ::ffff:0:0/90 or so: its text would be that of an IPv4 address
  const std::string written = address_text(subnet.address) + "/" + std::to_string(ipv4 ? bits - 96 : bits);
  require(parse_subnet(written, again));
  require(again.address.hi == subnet.address.hi && again.address.lo == subnet.address.lo);
  require(again.mask.hi == subnet.mask.hi && again.mask.lo == subnet.mask.lo);
}

}  // namespace
}  // namespace strata

int fuzz_subnet(const uint8_t *data, size_t size) {
  strata::check(std::string_view(reinterpret_cast<const char *>(data), size));
  return 0;
}
