// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "unwind/rules.h"

namespace strata {

UnwindRules::UnwindRules() {
  number({.cfa = UNWIND_NONE});
  number({.cfa = UNWIND_UNSUPPORTED});
}

uint16_t UnwindRules::number(const unwind_rule &rule) {
  const Key key = {rule.cfa, rule.fp, rule.cfa_added, rule.cfa_offset, rule.fp_offset};
  if (key == last_ && !rules_.empty()) return last_number_;
  const auto [at, is_new] = numbers_.try_emplace(key, static_cast<uint16_t>(rules_.size()));
  if (is_new && rules_.size() == UNWIND_RULES) {
    numbers_.erase(at);
    return UNWIND_RULE_UNSUPPORTED;
  }
  if (is_new) rules_.push_back(rule);
  last_ = key;
  return last_number_ = at->second;
}

}  // namespace strata
