// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "model/sample.h"

#include <algorithm>

namespace strata {

const Value *value_of(std::span<const NamedValue> fields, std::string_view key) {
  const auto found = std::ranges::find(fields, key, [](const NamedValue &one) { return one.column->key; });
  return found != fields.end() ? &found->value : nullptr;
}

void Account::add(const Outcome &outcome, const std::string &reason, uint64_t n) {
  if (n == 0) return;
  const std::string &by = outcome.counts_by_reason() ? reason : std::string();
  const auto same = [&](const Count &one) { return one.outcome == &outcome && one.reason == by; };
  const auto found = std::find_if(counts.begin(), counts.end(), same);
  if (found != counts.end())
    found->n += n;
  else
    counts.push_back({.outcome = &outcome, .reason = by, .n = n});
  sampled += n;
}

uint64_t Account::of(const Outcome &outcome) const {
  uint64_t n = 0;
  for (const Count &one : counts) n += one.outcome == &outcome ? one.n : 0;
  return n;
}

}  // namespace strata
