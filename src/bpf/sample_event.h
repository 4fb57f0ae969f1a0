// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What samples are taken of: an event by the name that perf has for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace strata {

struct SampleEvent {
  uint32_t type = 0;  // enum perf_type_id, and its number there
  uint64_t config = 0;
  bool user = true, kernel = true;  // counted in user mode, and in the kernel
  std::string_view name = "cpu-clock";
};

// "cycles", "L1-icache-load-misses", "page-faults", "r01c0", each perhaps with ":u" or ":k"; nullopt: it is none of
// these.
std::optional<SampleEvent> sample_event(std::string_view text);
SampleEvent clock_event();  // the kernel's timer, which every host has

}  // namespace strata
