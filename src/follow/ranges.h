// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A set of bytes of a file, as half-open ranges that neither touch nor overlap.
#pragma once

#include <cstdint>
#include <map>

namespace strata {

class Ranges {
 public:
  Ranges() = default;
  Ranges(uint64_t lo, uint64_t hi) { add(lo, hi); }

  void add(uint64_t lo, uint64_t hi);
  void add(const Ranges &other);
  void remove(uint64_t lo, uint64_t hi);
  void remove(const Ranges &other);
  [[nodiscard]] Ranges within(uint64_t lo, uint64_t hi) const;
  [[nodiscard]] Ranges within(const Ranges &other) const;

  [[nodiscard]] Ranges shifted(int64_t by) const;

  [[nodiscard]] bool empty() const { return ranges_.empty(); }
  [[nodiscard]] bool overlaps(uint64_t lo, uint64_t hi) const { return !within(lo, hi).empty(); }
  [[nodiscard]] uint64_t bytes() const;
  [[nodiscard]] auto begin() const { return ranges_.begin(); }  // pairs of lo, hi
  [[nodiscard]] auto end() const { return ranges_.end(); }

 private:
  std::map<uint64_t, uint64_t> ranges_;  // lo -> hi
};

}  // namespace strata
