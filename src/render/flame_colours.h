// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the colours of a flame graph mean. By default the kind of code, as far as its name tells; where two runs are
// compared, red is what grew and blue what shrank.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/field.h"

namespace strata {

struct FlameKind {
  static constexpr size_t kCount = 7;
  enum Of : uint8_t { kThread, kUser, kKernel, kInlined, kJit, kNoSymbol, kUnknown };
  static constexpr std::string_view kNames[kCount] = {
      "thread", "user", "kernel", "inlined", "no file, as of a JIT", "no symbol", "unknown"};
};
FlameKind::Of kind_of_frame(std::string_view name);

// Functions of a kind differ a little, so that neighbours can be told apart; one has the same shade everywhere.
inline constexpr size_t kFlameShades = 6;
size_t shade_of_frame(std::string_view name);

// "#rrggbb": for light and dark backgrounds.
struct FlameColours {
  using Kinds = std::array<std::array<std::string, kFlameShades>, FlameKind::kCount>;
  static constexpr size_t kSteps = 7;                     // of growth
  using Steps = std::array<std::string, 2 * kSteps + 1>;  // the middle one: no change
  Kinds light, dark;
  Steps light_steps, dark_steps;
};
// Warm where CPUs were busy, and for all counts; blue for time that is waited, green for memory.
FlameColours flame_colours(Unit unit);

// Of a change by so much, of which the largest is `most`: small ones are told apart better than by a linear scale.
size_t growth_step(double change, double most);

}  // namespace strata
