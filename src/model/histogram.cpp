// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Slots: values below 2^kPrecisionBits have one each; above, every power of two has 2^kPrecisionBits.
#include "model/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace strata {
namespace {

constexpr uint32_t kSlotsPerPower = 1U << Histogram::kPrecisionBits;

uint64_t product(uint64_t value, uint64_t count) {
  uint64_t product = 0;
  return __builtin_mul_overflow(value, count, &product) ? UINT64_MAX : product;
}

}  // namespace

uint32_t Histogram::slot_of(uint64_t value) {
  if (value < kSlotsPerPower) return static_cast<uint32_t>(value);
  const uint32_t shift = static_cast<uint32_t>(std::bit_width(value)) - 1 - kPrecisionBits;
  return shift * kSlotsPerPower + static_cast<uint32_t>(value >> shift);
}

uint64_t Histogram::slot_low(uint32_t slot) {
  if (slot < kSlotsPerPower) return slot;
  const uint32_t shift = slot / kSlotsPerPower - 1;
  return static_cast<uint64_t>(slot % kSlotsPerPower + kSlotsPerPower) << shift;
}

uint64_t Histogram::slot_high(uint32_t slot) {
  if (slot < kSlotsPerPower) return slot;
  return slot_low(slot) + ((1ULL << (slot / kSlotsPerPower - 1)) - 1);
}

void Histogram::add(uint64_t value, uint64_t count) { add_values(slot_of(value), count, product(value, count), value); }

void Histogram::add_slot(uint32_t slot, uint64_t count) {
  const uint64_t low = slot_low(slot), high = slot_high(slot);
  add_values(slot, count, product(low + (high - low) / 2, count), high);
  sum_is_estimate_ = sum_is_estimate_ || count != 0;
}

void Histogram::add_values(uint32_t slot, uint64_t count, uint64_t sum, uint64_t max) {
  if (count == 0) return;
  if (slot >= slots_.size()) slots_.resize(slot + 1);
  slots_[slot] += count;
  count_ += count;
  if (__builtin_add_overflow(sum_, sum, &sum_)) sum_ = UINT64_MAX;
  max_ = std::max(max_, std::clamp(max, slot_low(slot), slot_high(slot)));
}

void Histogram::merge(const Histogram &other, uint64_t times) {
  if (other.slots_.size() > slots_.size()) slots_.resize(other.slots_.size());
  for (size_t slot = 0; slot < other.slots_.size(); slot++) slots_[slot] += other.slots_[slot] * times;
  count_ += other.count_ * times;
  if (__builtin_add_overflow(sum_, product(other.sum_, times), &sum_)) sum_ = UINT64_MAX;
  max_ = std::max(max_, other.max_);
  sum_is_estimate_ = sum_is_estimate_ || other.sum_is_estimate_;
}

double Histogram::average() const { return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_); }

uint64_t Histogram::percentile(double p) const {
  if (p >= 100) return max_;
  // 99.9 % of 1000 is 999, which no double of 99.9 / 100 says.
  const double rank = p * static_cast<double>(count_) / 100 * (1 - 1e-12);
  const auto wanted = static_cast<uint64_t>(std::max(1.0, std::ceil(rank)));
  uint64_t passed = 0;
  for (uint32_t slot = 0; slot < slots_.size(); slot++) {
    passed += slots_[slot];
    if (passed >= wanted) return std::min(slot_high(slot), max_);
  }
  return max_;
}

}  // namespace strata
