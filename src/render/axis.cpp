// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "render/axis.h"

#include <algorithm>
#include <span>

#include "base/text.h"
#include "render/value.h"

namespace strata {
namespace {

// "1.00us" -> "1us": the label's value is exact.
std::string short_text(std::string text) {
  const size_t point = text.find('.');
  if (point == std::string::npos) return text;
  size_t unit = text.find_first_not_of("0123456789", point + 1);
  if (unit == std::string::npos) unit = text.size();
  size_t end = unit;
  while (text[end - 1] == '0') end--;
  if (end == point + 1) end = point;
  return text.erase(end, unit - end);
}

// Sets of round values, the densest first: the powers of `base`, and twice and five times each.
struct Values {
  uint64_t base;
  bool between;
};

constexpr Values kDecimal[] = {{10, true}, {10, false}, {100, false}, {1000, false}, {1'000'000, false}};
constexpr Values kBinary[] = {{2, false}, {4, false}, {32, false}, {1024, false}, {1'048'576, false}};

std::vector<uint64_t> round_values(const Values &values) {
  std::vector<uint64_t> all = {0};
  for (uint64_t power = 1;; power *= values.base) {
    for (const uint64_t multiple : {1, 2, 5}) {
      if ((multiple == 1 || values.between) && multiple <= UINT64_MAX / power) all.push_back(power * multiple);
    }
    if (power > UINT64_MAX / values.base) return all;
  }
}

double place_of(const ValueAxis &axis, uint64_t value) {
  const uint32_t slot = Histogram::slot_of(value);
  const auto low = static_cast<double>(Histogram::slot_low(slot));
  const double part = (static_cast<double>(value) - low) / (static_cast<double>(Histogram::slot_high(slot)) - low + 1);
  return (slot - axis.first + part) / axis.step;
}

// All that are on the axis, or none if two are too close. Below kLinear, where the scale is not logarithmic, such are
// left out.
template <typename TooClose>
std::vector<Tick> ticks_at(const Values &values, const ValueAxis &axis, const Field &column, const Clocks &clocks,
                           TooClose &&too_close) {
  constexpr uint64_t kLinear = 1 << Histogram::kPrecisionBits;
  std::vector<Tick> ticks;
  bool linear = false;  // the last tick
  for (const uint64_t value : round_values(values)) {
    if (!axis.covers(Histogram::slot_of(value))) continue;
    const Tick tick = {.at = place_of(axis, value), .label = round_text(column, value, clocks)};
    if (!ticks.empty() && too_close(ticks.back(), tick)) {
      if (value < kLinear) continue;
      if (!linear) return {};
      ticks.pop_back();
      if (!ticks.empty() && too_close(ticks.back(), tick)) return {};
    }
    ticks.push_back(tick);
    linear = value < kLinear;
  }
  return ticks;
}

constexpr uint64_t kMs = 1'000'000;
constexpr uint64_t kSecond = 1'000 * kMs;
constexpr uint64_t kMinute = 60 * kSecond;
constexpr uint64_t kHour = 60 * kMinute;
constexpr uint64_t kTimeSteps[] = {kMs,          2 * kMs,      5 * kMs,      10 * kMs, 20 * kMs,    50 * kMs,
                                   100 * kMs,    200 * kMs,    500 * kMs,    kSecond,  2 * kSecond, 5 * kSecond,
                                   10 * kSecond, 15 * kSecond, 30 * kSecond, kMinute,  2 * kMinute, 5 * kMinute,
                                   10 * kMinute, 15 * kMinute, 30 * kMinute, kHour,    2 * kHour,   4 * kHour,
                                   12 * kHour,   24 * kHour};

}  // namespace

std::string round_text(const Field &column, uint64_t value, const Clocks &clocks) {
  return short_text(value_text(column, value, clocks));
}

std::vector<Tick> value_ticks(const ValueAxis &axis, const Field &column, const Clocks &clocks, double gap,
                              double per_letter) {
  const bool binary = column.unit == Unit::kBytes || column.unit == Unit::kHex || column.unit == Unit::k32nds;
  const auto too_close = [&](const Tick &one, const Tick &next) {
    return next.at - one.at < gap + per_letter * static_cast<double>(cells(one.label));
  };
  for (const Values &values : binary ? std::span(kBinary) : std::span(kDecimal)) {
    std::vector<Tick> ticks = ticks_at(values, axis, column, clocks, too_close);
    if (!ticks.empty()) return ticks;
  }
  return {{.at = 0, .label = value_text(column, axis.low(0), clocks)}};
}

std::vector<Tick> time_ticks(const Clocks &clocks, const TimeSpan &span, uint64_t column_ns, size_t most) {
  if (span.to_ns <= span.from_ns) return {{.at = 0, .label = clocks.wall_text(span.from_ns).substr(0, 8)}};
  const uint64_t span_ns = span.to_ns - span.from_ns;
  const auto fits = [&](uint64_t step_ns) { return span_ns / step_ns < most && step_ns >= column_ns / 4 * 3; };
  const auto *found = std::find_if(std::begin(kTimeSteps), std::end(kTimeSteps), fits);
  uint64_t step_ns = found == std::end(kTimeSteps) ? *std::rbegin(kTimeSteps) : *found;
  while (span_ns / step_ns >= most) step_ns *= 2;
  const size_t letters = step_ns < kSecond ? 12 : 8;
  std::vector<Tick> ticks;
  const uint64_t past_ns = clocks.wall_ns(span.from_ns) % step_ns;
  for (uint64_t ns = past_ns == 0 ? 0 : step_ns - past_ns; ns <= span_ns && ticks.size() <= most; ns += step_ns) {
    ticks.push_back({.at = static_cast<double>(ns) / static_cast<double>(span_ns),
                     .label = clocks.wall_text(span.from_ns + ns).substr(0, letters)});
  }
  if (ticks.empty()) ticks.push_back({.at = 0, .label = clocks.wall_text(span.from_ns).substr(0, letters)});
  return ticks;
}

}  // namespace strata
