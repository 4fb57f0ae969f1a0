// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Timers as descriptors, which are readable once their time has come. Both throw Error.
#pragma once

#include <cstdint>

#include "base/fd.h"

namespace strata {

Fd timer_after(uint64_t first_ns, uint64_t interval_ns = 0);  // by CLOCK_MONOTONIC; 0: once
Fd timer_at(uint64_t realtime_ns);                            // by CLOCK_REALTIME, also if somebody sets that meanwhile

}  // namespace strata
