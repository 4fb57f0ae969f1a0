// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/send/calls.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "bpf/object.h"
#include "kern/syscall.h"

namespace strata {

// Of the kernel's system call table: 1 + the place of the descriptor.
void set_send_calls(Object &object, bool with_sendmmsg) {
  constexpr std::pair<const char *, uint8_t> kCalls[] = {{"write", 1},    {"writev", 1}, {"sendto", 1},  {"sendmsg", 1},
                                                         {"sendfile", 1}, {"splice", 3}, {"sendmmsg", 1}};
  std::array<uint8_t, 512> table{};
  for (const auto &[name, place] : kCalls) {
    if (!with_sendmmsg && name == std::string_view("sendmmsg")) continue;
    const int64_t number = syscall_number(name);
    if (number >= 0 && number < static_cast<int64_t>(table.size())) table[static_cast<size_t>(number)] = place;
  }
  object.set_constant("calls", table);
}

}  // namespace strata
