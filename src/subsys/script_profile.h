// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The maps of a program whose keys have a stack, as the formats of stacks take them: folded, flame, pprof.
#pragma once

#include <cstdint>

#include "expr/plan.h"
#include "model/table.h"

namespace strata {

class ScriptMaps;

// Throws a usage Error if the program has no such map, or one whose values cannot be added up.
void require_stacks(const expr::Plan &plan);

struct ScriptProfile {
  Table table;              // a row for each stack, the one with the most first
  uint64_t below_zero = 0;  // stacks without a row
};

// As the maps are now; the run is from then on.
ScriptProfile profile_of(const expr::Plan &plan, const ScriptMaps &maps, uint64_t from_ns);

}  // namespace strata
