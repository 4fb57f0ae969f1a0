// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A record that is a packet, as a capture file has it.
#pragma once

#include <cstdint>
#include <string>

namespace strata {

enum class Direction : uint8_t { kUnknown, kInbound, kOutbound };  // the numbers of pcapng's epb_flags

struct Packet {
  uint64_t ts_ns = 0;       // CLOCK_MONOTONIC
  std::string bytes = {};   // from the header of IP on, as far as they are known; empty: none are
  uint32_t size = 0;        // of the whole, from the same place on
  uint32_t ifindex = 0;     // 0: no device is known
  uint32_t netns = 0;       // inode of its network namespace
  std::string device = {};  // its name
  Direction direction = Direction::kUnknown;
};

}  // namespace strata
