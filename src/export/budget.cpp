// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "export/budget.h"

#include "base/format.h"

namespace strata {

std::optional<size_t> Budget::judge(uint64_t own, std::span<const std::optional<ToolCost>> tools) {
  cost_ = own;
  std::optional<size_t> dearest;
  for (size_t i = 0; i < tools.size(); i++) {
    if (!tools[i]) continue;
    cost_ += tools[i]->programs;
    if (!dearest || tools[i]->all() > tools[*dearest]->all()) dearest = i;
  }
  over_ = cost_ > millionths_ ? over_ + 1 : 0;
  if (over_ < 2) return std::nullopt;
  over_ = 0;
  return dearest;
}

std::string cpu_text(uint64_t millionths) {
  return formatted("{:.2f}% of a CPU", static_cast<double>(millionths) / 10'000);
}

}  // namespace strata
