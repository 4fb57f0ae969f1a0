// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A log-linear histogram: exact count, sum and maximum, percentiles with a stated relative error.
#pragma once

#include <cstdint>
#include <vector>

namespace strata {

// Each power of two is split into 2^kPrecisionBits equal slots, so that a percentile is at most
// 1/2^kPrecisionBits (6.25 %) above the true value and never below it; values under 2^kPrecisionBits are exact.
class Histogram {
 public:
  static constexpr int kPrecisionBits = 4;

  void add(uint64_t value, uint64_t count = 1);
  // So many values of a slot, of which the sum and the greatest are known.
  void add_values(uint32_t slot, uint64_t count, uint64_t sum, uint64_t max);
  // Of values of which the slot alone is known: each stands for the greatest in it, and in the sum for the middle, from
  // which it is 1/2^(kPrecisionBits + 1) (3.125 %) away at most. The sum is an estimate from then on.
  void add_slot(uint32_t slot, uint64_t count);
  void merge(const Histogram &other, uint64_t times = 1);  // each of its values so many times

  [[nodiscard]] uint64_t count() const { return count_; }
  [[nodiscard]] uint64_t sum() const { return sum_; }  // UINT64_MAX: so much or more
  [[nodiscard]] bool sum_is_estimate() const { return sum_is_estimate_; }
  [[nodiscard]] double average() const;  // 0 when empty
  [[nodiscard]] uint64_t max() const { return max_; }
  // The upper bound of the slot that holds the p-th percentile (0 < p <= 100), never above max(); 0 when empty.
  [[nodiscard]] uint64_t percentile(double p) const;

  static uint32_t slot_of(uint64_t value);
  static uint64_t slot_low(uint32_t slot);   // least value of the slot
  static uint64_t slot_high(uint32_t slot);  // greatest value of the slot
  [[nodiscard]] const std::vector<uint64_t> &slots() const { return slots_; }

 private:
  std::vector<uint64_t> slots_;
  uint64_t count_ = 0;
  uint64_t sum_ = 0;
  uint64_t max_ = 0;
  bool sum_is_estimate_ = false;
};

}  // namespace strata
