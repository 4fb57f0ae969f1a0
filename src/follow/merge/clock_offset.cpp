// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/merge/clock_offset.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace strata {
namespace {

// The place of the greatest value of a function that first grows and then falls.
template <typename Function>
double place_of_greatest(double from, double to, const Function &value) {
  constexpr int kSteps = 100;  // each leaves two thirds
  for (int i = 0; i < kSteps; i++) {
    const double a = from + (to - from) / 3, b = to - (to - from) / 3;
    if (value(a) < value(b))
      from = a;
    else
      to = b;
  }
  return (from + to) / 2;
}

// The bounds, seen from one of them, so that floating point has them to the nanosecond: offset = at zero + rate * time.
class Lines {
 public:
  explicit Lines(std::span<const OffsetBounds> bounds) : zero_(bounds.front()) {
    for (const OffsetBounds &one : bounds) {
      const auto at = static_cast<double>(one.at_ns - zero_.at_ns);
      if (one.low_ns != OffsetBounds::kNoLow) low_.emplace_back(at, static_cast<double>(one.low_ns - zero_.high_ns));
      high_.emplace_back(at, static_cast<double>(one.high_ns - zero_.high_ns));
      first_ = std::min(first_, at);
      last_ = std::max(last_, at);
    }
  }

  // With this rate, at this time: the greatest lower and the least upper bound.
  [[nodiscard]] std::pair<double, double> around(double rate, double at) const {
    double low = -std::numeric_limits<double>::infinity(), high = -low;
    for (const auto &[t, bound] : low_) low = std::max(low, bound - rate * (t - at));
    for (const auto &[t, bound] : high_) high = std::min(high, bound - rate * (t - at));
    return {low, high};
  }
  [[nodiscard]] double room(double rate) const {
    const auto [low, high] = around(rate, 0);
    return high - low;
  }

  [[nodiscard]] ClockOffset offset(double rate, double error, bool fits_all) const {
    const auto [low, high] = around(rate, 0);
    return {.at_ns = zero_.at_ns,
            .offset_ns = zero_.high_ns + std::llround((low + high) / 2),
            .rate = rate,
            .error_ns = std::llround(std::ceil(error)),
            .fits_all = fits_all};
  }

  // How far from the middle of the best rate another one that fits may be, where they are furthest apart.
  [[nodiscard]] double error(double best) const {
    const auto edge = [this](double in, double out) {  // of the rates that fit
      for (int i = 0; i < 60; i++) (room((in + out) / 2) >= 0 ? in : out) = (in + out) / 2;
      return in;
    };
    const double slow = edge(best, -kMostDrift), fast = edge(best, kMostDrift);
    const auto [low, high] = around(best, 0);
    double error = 0;
    for (const double at : {first_, last_}) {
      const double middle = (low + high) / 2 + best * at;
      const auto top = [&](double rate) { return around(rate, at).second; };
      const auto bottom = [&](double rate) { return -around(rate, at).first; };
      error = std::max({error, top(place_of_greatest(slow, fast, top)) - middle,
                        bottom(place_of_greatest(slow, fast, bottom)) + middle});
    }
    return error;
  }

 private:
  OffsetBounds zero_;
  std::vector<std::pair<double, double>> low_, high_;  // time and offset
  double first_ = 0, last_ = 0;
};

// Where most of the ranges overlap, as NTP chooses among its servers (Marzullo's algorithm); nothing without a range.
std::optional<int64_t> where_most_overlap(std::span<const OffsetBounds> bounds) {
  std::vector<std::pair<int64_t, int>> ends;
  for (const OffsetBounds &one : bounds) {
    if (one.low_ns == OffsetBounds::kNoLow || one.low_ns > one.high_ns) continue;
    ends.emplace_back(one.low_ns, -1);  // begins come first
    ends.emplace_back(one.high_ns, 1);
  }
  std::ranges::sort(ends);
  int depth = 0, most = 0;
  std::optional<int64_t> where;
  for (const auto &[ns, end] : ends) {
    depth -= end;
    if (depth <= most) continue;
    most = depth;
    where = ns;
  }
  return where;
}

// From one bound to the next, in the order of time or against it: how far the clock is ahead by what was seen so far.
class Track {
 public:
  Track(int64_t at_ns, int64_t offset_ns) : at_ns_(at_ns), offset_ns_(offset_ns) {}

  bool agrees(const OffsetBounds &one) {
    constexpr int64_t kLeastSlack = 1'000'000;
    const auto slack =
        kLeastSlack + static_cast<int64_t>(kMostDrift * std::abs(static_cast<double>(one.at_ns - at_ns_)));
    const int64_t low = one.low_ns == OffsetBounds::kNoLow ? std::min(offset_ns_, one.high_ns) : one.low_ns;
    if (low > one.high_ns || low - slack > offset_ns_ || one.high_ns + slack < offset_ns_) return false;
    offset_ns_ = std::clamp(offset_ns_, low, one.high_ns);
    at_ns_ = one.at_ns;
    return true;
  }

 private:
  int64_t at_ns_, offset_ns_;
};

}  // namespace

std::vector<bool> that_agree(std::span<const OffsetBounds> bounds) {
  std::vector<bool> agree(bounds.size(), true);
  const std::optional<int64_t> where = where_most_overlap(bounds);
  if (!where) return agree;
  std::vector<size_t> order(bounds.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t i) { return bounds[i].at_ns; });
  const auto is_there = [&](size_t i) {
    return bounds[i].low_ns <= *where && *where <= bounds[i].high_ns && bounds[i].low_ns != OffsetBounds::kNoLow;
  };
  const auto first = std::ranges::find_if(order, is_there);
  Track forward(bounds[*first].at_ns, *where), backward = forward;
  for (auto i = first; i != order.end(); ++i) agree[*i] = forward.agrees(bounds[*i]);
  for (auto i = first; i != order.begin();) {
    --i;
    agree[*i] = backward.agrees(bounds[*i]);
  }
  return agree;
}

ClockOffset offset_of(std::span<const OffsetBounds> bounds) {
  const auto has_low = [](const OffsetBounds &one) { return one.low_ns != OffsetBounds::kNoLow; };
  if (std::ranges::none_of(bounds, has_low)) {
    const OffsetBounds &least = *std::ranges::min_element(bounds, {}, &OffsetBounds::high_ns);
    return {.at_ns = least.at_ns, .offset_ns = least.high_ns, .known = false};
  }
  const Lines lines(bounds);
  if (lines.room(0) >= 0) return lines.offset(0, lines.error(0), true);
  const double rate = place_of_greatest(-kMostDrift, kMostDrift, [&lines](double one) { return lines.room(one); });
  const double room = lines.room(rate);
  if (room < 0) return lines.offset(rate, -room / 2, false);
  return lines.offset(rate, lines.error(rate), true);
}

}  // namespace strata
