// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A header of IP made of what a record says of a packet whose own one nobody kept: what is not known is 0, the checksum
// among it.
#pragma once

#include <cstdint>
#include <string>

#include "kern/inet.h"

namespace strata {

struct IpHeader {
  Address source, destination;  // IPv4 if both are
  uint32_t protocol = 0;
};

inline constexpr uint32_t kTcpHeaderBytes = 20;  // without options

void append_network_order(std::string &out, uint64_t number, int bytes);  // the lowest so many
uint32_t ip_header_bytes(const IpHeader &header);
std::string ip_header(const IpHeader &header, uint32_t size);  // of a packet of so many bytes with this header

}  // namespace strata
