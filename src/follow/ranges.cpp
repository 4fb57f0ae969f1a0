// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/ranges.h"

#include <algorithm>
#include <iterator>

namespace strata {

void Ranges::add(uint64_t lo, uint64_t hi) {
  if (lo >= hi) return;
  auto it = ranges_.upper_bound(lo);
  if (it != ranges_.begin() && std::prev(it)->second >= lo) --it;
  while (it != ranges_.end() && it->first <= hi) {
    lo = std::min(lo, it->first);
    hi = std::max(hi, it->second);
    it = ranges_.erase(it);
  }
  ranges_.emplace(lo, hi);
}

void Ranges::add(const Ranges &other) {
  for (const auto &[lo, hi] : other) add(lo, hi);
}

void Ranges::remove(uint64_t lo, uint64_t hi) {
  const Ranges cut = within(lo, hi);
  for (const auto &[cut_lo, cut_hi] : cut) {
    const auto it = std::prev(ranges_.upper_bound(cut_lo));
    const auto [whole_lo, whole_hi] = *it;
    ranges_.erase(it);
    if (whole_lo < cut_lo) ranges_.emplace(whole_lo, cut_lo);
    if (cut_hi < whole_hi) ranges_.emplace(cut_hi, whole_hi);
  }
}

void Ranges::remove(const Ranges &other) {
  for (const auto &[lo, hi] : other) remove(lo, hi);
}

Ranges Ranges::within(uint64_t lo, uint64_t hi) const {
  Ranges found;
  auto it = ranges_.upper_bound(lo);
  if (it != ranges_.begin()) --it;
  for (; it != ranges_.end() && it->first < hi; ++it) found.add(std::max(lo, it->first), std::min(hi, it->second));
  return found;
}

Ranges Ranges::within(const Ranges &other) const {
  Ranges found;
  for (const auto &[lo, hi] : other) found.add(within(lo, hi));
  return found;
}

Ranges Ranges::shifted(int64_t by) const {
  Ranges moved;
  for (const auto &[lo, hi] : ranges_) moved.add(lo + by, hi + by);
  return moved;
}

uint64_t Ranges::bytes() const {
  uint64_t sum = 0;
  for (const auto &[lo, hi] : ranges_) sum += hi - lo;
  return sum;
}

}  // namespace strata
