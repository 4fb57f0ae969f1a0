// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/ip_header.h"

#include <algorithm>

namespace strata {
namespace {

constexpr uint32_t kIpv4Bytes = 20, kIpv6Bytes = 40;

bool is_ipv4(const IpHeader &header) { return is_ipv4(header.source) && is_ipv4(header.destination); }

// A size that has no room in 16 bits is 0 there, as the kernel has it (BIG TCP).
uint32_t sixteen_bits(uint32_t size) { return size > UINT16_MAX ? 0 : size; }

}  // namespace

void append_network_order(std::string &out, uint64_t number, int bytes) {
  for (int i = bytes - 1; i >= 0; i--) out += static_cast<char>(number >> 8 * i);
}

uint32_t ip_header_bytes(const IpHeader &header) { return is_ipv4(header) ? kIpv4Bytes : kIpv6Bytes; }

std::string ip_header(const IpHeader &header, uint32_t size) {
  std::string out;
  if (is_ipv4(header)) {
    append_network_order(out, 0x4500, 2);  // version, five words; type of service
    append_network_order(out, sixteen_bits(size), 2);
    append_network_order(out, 0, 5);  // identification, fragment, time to live
    append_network_order(out, header.protocol, 1);
    append_network_order(out, 0, 2);  // checksum
    append_network_order(out, header.source.lo, 4);
    append_network_order(out, header.destination.lo, 4);
    return out;
  }
  append_network_order(out, 0x60000000, 4);  // version; class, flow
  append_network_order(out, sixteen_bits(std::max(size, kIpv6Bytes) - kIpv6Bytes), 2);
  append_network_order(out, header.protocol, 1);
  append_network_order(out, 0, 1);  // hops
  for (const Address &address : {header.source, header.destination}) {
    append_network_order(out, address.hi, 8);
    append_network_order(out, address.lo, 8);
  }
  return out;
}

}  // namespace strata
