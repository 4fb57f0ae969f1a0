// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The rules of all files, each once: 4,171 of 1,500 programs and libraries, so that a row names its rule by 16 bits.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "lib/user/unwind_wire.h"

namespace strata {

class UnwindRules {
 public:
  UnwindRules();

  uint16_t number(const unwind_rule &rule);  // UNWIND_RULE_UNSUPPORTED of one that finds no room
  [[nodiscard]] std::span<const unwind_rule> all() const { return rules_; }  // by number

 private:
  using Key = std::tuple<uint8_t, uint8_t, int16_t, int32_t, int32_t>;

  std::vector<unwind_rule> rules_;
  std::map<Key, uint16_t> numbers_;
  Key last_ = {};  // most rows of a function have the rule of the row before
  uint16_t last_number_ = UNWIND_RULE_NONE;
};

}  // namespace strata
