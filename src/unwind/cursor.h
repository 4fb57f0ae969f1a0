// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Reads of bytes that are another's: what is beyond their end is 0, and the cursor no longer good().
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace strata {

class Cursor {
 public:
  explicit Cursor(std::span<const std::byte> bytes, size_t at = 0)
      : bytes_(bytes), at_(at), good_(at <= bytes.size()) {}

  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] bool done() const { return !good_ || at_ == bytes_.size(); }
  [[nodiscard]] size_t at() const { return at_; }

  template <typename Number>
  Number number() {
    static_assert(std::is_integral_v<Number>);
    Number value = 0;
    const std::span<const std::byte> from = take(sizeof(value));
    if (good_) memcpy(&value, from.data(), sizeof(value));
    return value;
  }
  uint8_t byte() { return number<uint8_t>(); }

  std::span<const std::byte> take(uint64_t size) {
    if (!good_ || size > bytes_.size() - at_) {
      good_ = false;
      return {};
    }
    at_ += size;
    return bytes_.subspan(at_ - size, size);
  }

  uint64_t uleb() { return leb().value; }
  int64_t sleb() {
    const Leb read = leb();
    const bool negative = read.shift < 64 && read.last & 0x40;
    return static_cast<int64_t>(negative ? read.value | ~uint64_t{0} << read.shift : read.value);
  }

 private:
  struct Leb {
    uint64_t value;
    unsigned shift;
    uint8_t last;
  };
  Leb leb() {
    Leb read = {};
    do {
      read.last = byte();
      if (read.shift < 64) read.value |= uint64_t{read.last & 0x7fU} << read.shift;
      read.shift += 7;
    } while (good_ && read.last & 0x80);
    return read;
  }

  std::span<const std::byte> bytes_;
  size_t at_;
  bool good_;
};

}  // namespace strata
