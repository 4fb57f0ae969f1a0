// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "export/budget.h"

#include "base/format.h"

namespace strata {
namespace {

constexpr uint32_t kTooMuch = 2, kCalm = 4;  // measurements in a row after which something is done

}  // namespace

bool Budget::can_thin(const ToolCost &tool) const {
  return tool.one_in != 0 && tool.one_in < thinnest_ && tool.programs >= tool.reading;
}

// What it is to look at so that all fits, with room for more where that can be; the programs' time goes down with it.
// If the others are too much without it, a quarter of the budget is its.
uint32_t Budget::thinner(const ToolCost &tool) const {
  const uint64_t rest = judged_ - tool.programs, roomy = millionths_ / 4 * 3;
  const uint64_t room = rest < roomy ? roomy - rest : rest < millionths_ ? millionths_ - rest : millionths_ / 4;
  uint32_t one_in = tool.one_in;
  for (uint64_t programs = tool.programs; programs > room && one_in < thinnest_; programs /= 2) one_in *= 2;
  return one_in;
}

// Of what is too much: the dearest tool that can looks at less, if that helps or if it is the dearest of all.
Budget::Step Budget::relief(Tools tools) const {
  std::optional<size_t> dearest, can;
  for (size_t i = 0; i < tools.size(); i++) {
    if (!tools[i]) continue;
    if (!dearest || tools[i]->all() > tools[*dearest]->all()) dearest = i;
    if (can_thin(*tools[i]) && (!can || tools[i]->programs > tools[*can]->programs)) can = i;
  }
  if (can && (can == dearest || judged_ - tools[*can]->programs < millionths_)) {
    const uint32_t one_in = thinner(*tools[*can]);
    if (one_in != tools[*can]->one_in) return {.tool = *can, .one_in = one_in};
  }
  return {.tool = *dearest, .one_in = 0};
}

// Of the tool that looks at fewest events: as many as fit, if twice the events cost twice as much, which is the most.
std::optional<Budget::Step> Budget::denser(Tools tools) const {
  std::optional<Step> step;
  uint32_t most = 1;
  for (size_t i = 0; i < tools.size(); i++) {
    if (!tools[i] || tools[i]->one_in <= most) continue;
    uint32_t one_in = tools[i]->one_in;
    for (uint64_t programs = tools[i]->programs * 2; one_in > 1; programs *= 2, one_in /= 2)
      if (judged_ - tools[i]->programs + programs > millionths_ / 10 * 9) break;
    if (one_in == tools[i]->one_in) continue;
    most = tools[i]->one_in;
    step = {.tool = i, .one_in = one_in};
  }
  return step;
}

std::optional<Budget::Step> Budget::judge(uint64_t own, Tools tools) {
  cost_ = own;
  judged_ = 0;
  for (const std::optional<ToolCost> &tool : tools) {
    if (!tool) continue;
    cost_ += tool->programs;
    judged_ += tool->all();
  }
  over_ = judged_ > millionths_ ? over_ + 1 : 0;
  if (over_ >= kTooMuch) {
    over_ = calm_ = 0;
    return relief(tools);
  }
  const std::optional<Step> more = denser(tools);
  calm_ = more ? calm_ + 1 : 0;
  if (calm_ < kCalm) return std::nullopt;
  calm_ = 0;
  return more;
}

std::string cpu_text(uint64_t millionths) {
  return formatted("{:.2f}% of a CPU", static_cast<double>(millionths) / 10'000);
}

}  // namespace strata
