// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "export/budget.h"

#include "base/format.h"

namespace strata {

namespace {

constexpr uint32_t kTooMuch = 2, kCalm = 4;  // measurements in a row after which something is done

}  // namespace

// What it looks at when all fits again, or as few events as it can; its programs' time goes down with them.
uint32_t Budget::thinner(const ToolCost &tool) const {
  uint32_t one_in = tool.one_in;
  for (uint64_t programs = tool.programs; one_in < thinnest_; programs /= 2) {
    if (fits(cost_ - tool.programs + programs)) break;
    one_in *= 2;
  }
  return one_in;
}

// Of twice the events all would still fit: of the tool that looks at fewest.
std::optional<Budget::Step> Budget::denser(std::span<const std::optional<ToolCost>> tools) const {
  std::optional<Step> step;
  uint32_t most = 1;
  for (size_t i = 0; i < tools.size(); i++) {
    if (!tools[i] || tools[i]->one_in <= most || !fits(cost_ + tools[i]->programs)) continue;
    most = tools[i]->one_in;
    step = {.tool = i, .one_in = most / 2};
  }
  return step;
}

std::optional<Budget::Step> Budget::judge(uint64_t own, std::span<const std::optional<ToolCost>> tools) {
  cost_ = own;
  std::optional<size_t> dearest;
  for (size_t i = 0; i < tools.size(); i++) {
    if (!tools[i]) continue;
    cost_ += tools[i]->programs;
    if (!dearest || tools[i]->all() > tools[*dearest]->all()) dearest = i;
  }
  over_ = cost_ > millionths_ ? over_ + 1 : 0;
  const std::optional<Step> more = denser(tools);
  calm_ = more ? calm_ + 1 : 0;
  if (over_ < kTooMuch || !dearest) {
    if (calm_ < kCalm) return std::nullopt;
    calm_ = 0;
    return more;
  }
  over_ = 0;
  const ToolCost &tool = *tools[*dearest];
  const bool can = tool.one_in != 0 && tool.one_in < thinnest_ && tool.programs >= tool.reading;
  return Step{.tool = *dearest, .one_in = can ? thinner(tool) : 0};
}

std::string cpu_text(uint64_t millionths) {
  return formatted("{:.2f}% of a CPU", static_cast<double>(millionths) / 10'000);
}

}  // namespace strata
