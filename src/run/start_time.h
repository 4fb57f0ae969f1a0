// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// When a run begins, so that those of many hosts begin together.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/clock.h"

namespace strata {

class Ending;

// Nanoseconds since 1970 of "14:03:07.25" (local time, within 12 hours), "2026-11-26T14:03:07.25Z" or "@1795701787.25".
// Throws a usage Error: it is none of these, or is before `now`.
uint64_t start_time_ns(std::string_view text, const Clocks &now);

// Throws Error where the run is to end before.
void wait_until(uint64_t realtime_ns, Ending &ending);

}  // namespace strata
