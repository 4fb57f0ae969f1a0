// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// --sort and --rows for the maps of a program of the probe language, with the words and the meaning that they have for
// tables. Without --sort maps stay as bpftrace has them, the least value first, for scripts that read them.
#pragma once

#include <cstdint>

namespace strata {

class Values;

struct ScriptOrder {
  enum class By : uint8_t { kUsual, kKey, kValue, kCount, kAverage, kSum };
  By by = By::kUsual;
  uint64_t rows = UINT64_MAX;  // of each map; without --sort those of the greatest values
};

// Throws a usage Error where --sort names no such column.
ScriptOrder script_order(const Values &values);

}  // namespace strata
